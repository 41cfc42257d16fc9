/*@
 * what:    the width ? is 16 columns
 */
BEGIN { printf("[%?x][%-?x]\n", 0xab, 0xab); exit(0); }
