/*@
 * what:    id is the id of the probe that fired; in an ERROR clause it is the id of ERROR
 * run:     -qs %file%
 */
BEGIN { printf("%d\n", id); }
BEGIN { trace(*(int *)NULL); }
ERROR { printf("%d %d\n", id, arg1); exit(0); }
END { printf("%d\n", id); }
