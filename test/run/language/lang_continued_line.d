/*@
 * what:    a backslash at the end of a line is a blank
 */
BEGIN { printf( \
"%d\n", 1 + \
2); exit(0); }
