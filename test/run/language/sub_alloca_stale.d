/*@
 * what:    reading memory that alloca() returned in an earlier probe hit raises a fault
 * stderr:  contains
 */
BEGIN { p = (int *)alloca(8); *p = 5; }
BEGIN { printf("%d\n", *p); exit(0); }
END { trace(*p); }
ERROR { printf("fault %d\n", arg4); }
