/*@
 * what:    the width ? is 16 columns, the width of a pointer, also for %s
 */
BEGIN { printf("[%?x][%-?x][%?s]\n", 0xabc, 0xabc, "sixteen"); exit(0); }
