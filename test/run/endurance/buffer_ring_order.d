/*@
 * what:    with ring nothing is printed before the end, and everything in the order it happened
 * run:     -x bufpolicy=ring -qs %file%
 */
BEGIN { printf("first\n"); }
tick-10ms { printf("second\n"); exit(0); }
END { printf("last\n"); }
