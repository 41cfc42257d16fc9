/*@
 * what:    the alternate form of octal and hexadecimal, of 0 too
 */
BEGIN { printf("[%#o][%#x][%#X][%#x][%#o]\n", 8, 255, 255, 0, 0); exit(0); }
