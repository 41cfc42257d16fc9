/*@
 * what:    a pointer of an earlier clause is stale
 * stderr:  contains
 */
BEGIN { p = (int *)alloca(8); *p = 5; printf("%d\n", *p); }
BEGIN { trace(*p); }
ERROR { printf("fault %d\n", arg4); }
BEGIN { exit(0); }
