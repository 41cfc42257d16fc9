/*@
 * what:    a program with depends_on a provider and a module that exist compiles
 */
#pragma D depends_on provider syscall
#pragma D depends_on module vmlinux
BEGIN { printf("ok\n"); exit(0); }
