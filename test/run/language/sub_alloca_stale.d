/*@
 * what:    a pointer of an earlier firing is stale
 * stderr:  contains
 */
BEGIN { p = (int *)alloca(8); *p = 5; }
BEGIN { printf("%d\n", *p); exit(0); }
END { trace(*p); }
ERROR { printf("fault %d\n", arg4); }
