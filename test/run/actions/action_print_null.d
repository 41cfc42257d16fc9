/*@
 * what:    print() through NULL is a fault, whatever the pointer's type is called
 */
BEGIN { print((int *)0); }
ERROR { printf("%d %d\n", arg4, arg5); exit(0); }
