/*@
 * what:    -F with -q still prints the heading and the function column, but no newline after a record
 * run:     -F -qs %file%
 */
BEGIN { printf("x\n"); exit(0); }
