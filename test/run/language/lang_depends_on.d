/*@
 * what:    a program compiles if the provider and the module of its depends_on pragmas exist
 */
#pragma D depends_on provider syscall
#pragma D depends_on module vmlinux
BEGIN { printf("ok\n"); exit(0); }
