/*@
 * what:    bufpolicy=ring prints only at exit, in the order of the events
 * run:     -x bufpolicy=ring -qs %file%
 */
BEGIN { printf("first\n"); }
tick-10ms { printf("second\n"); exit(0); }
END { printf("last\n"); }
