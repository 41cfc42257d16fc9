/*@
 * what:    print() of a NULL pointer raises a fault
 */
BEGIN { print((int *)0); }
ERROR { printf("%d %d\n", arg4, arg5); exit(0); }
