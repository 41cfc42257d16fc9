/*@
 * what:    a program may depend on providers and modules that are there
 */
#pragma D depends_on provider syscall
#pragma D depends_on module vmlinux
BEGIN { printf("ok\n"); exit(0); }
