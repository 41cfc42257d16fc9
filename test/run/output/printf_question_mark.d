/*@
 * what:    the ? width is the width of a pointer
 */
BEGIN { printf("[%?x][%-?x][%?s]\n", 0xabc, 0xabc, "sixteen"); exit(0); }
