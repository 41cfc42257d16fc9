/*@
 * what:    the flag # adds 0 to octal and 0x to hexadecimal numbers, but nothing to 0
 * env:     DTRACE_REPRODUCIBLE=
 */
BEGIN { printf("[%#o][%#x][%#X][%#x][%#o]\n", 8, 255, 255, 0, 0); exit(0); }
