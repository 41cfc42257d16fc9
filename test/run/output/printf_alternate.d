/*@
 * what:    the # flag prefixes octal and hexadecimal numbers, including 0
 * env:     DTRACE_REPRODUCIBLE=
 */
BEGIN { printf("[%#o][%#x][%#X][%#x][%#o]\n", 8, 255, 255, 0, 0); exit(0); }
