/*@
 * what:    a backslash at the end of a line continues the line
 */
BEGIN { printf( \
"%d\n", 1 + \
2); exit(0); }
