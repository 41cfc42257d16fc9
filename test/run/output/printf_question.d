/*@
 * what:    ? is a width of 16
 */
BEGIN { printf("[%?x][%-?x]\n", 0xab, 0xab); exit(0); }
