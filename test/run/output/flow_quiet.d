/*@
 * what:    with -F and -q, heading and prefix remain but lines get no newline of their own
 * run:     -F -qs %file%
 */
BEGIN { printf("x\n"); exit(0); }
