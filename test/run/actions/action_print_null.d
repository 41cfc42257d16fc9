/*@
 * what:    print() of a NULL pointer raises a fault, whatever the pointer's type name is
 */
BEGIN { print((int *)0); }
ERROR { printf("%d %d\n", arg4, arg5); exit(0); }
