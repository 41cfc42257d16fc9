/*@
 * what:    -F and -q: heading and prefix stay, the lines have no newline of their own
 * run:     -F -qs %file%
 */
BEGIN { printf("x\n"); exit(0); }
