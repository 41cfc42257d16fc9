/*@
 * what:    id is the number of the hit probe, in ERROR too
 * run:     -qs %file%
 */
BEGIN { printf("%d\n", id); }
BEGIN { trace(*(int *)NULL); }
ERROR { printf("%d %d\n", id, arg1); exit(0); }
END { printf("%d\n", id); }
