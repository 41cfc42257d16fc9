/*@
 * what:    the alternate form of octal and hexadecimal, of 0 too
 * env:     DTRACE_REPRODUCIBLE=
 */
BEGIN { printf("[%#o][%#x][%#X][%#x][%#o]\n", 8, 255, 255, 0, 0); exit(0); }
