/*@
 * what:    depends_on accepts providers and modules that exist
 */
#pragma D depends_on provider syscall
#pragma D depends_on module vmlinux
BEGIN { printf("ok\n"); exit(0); }
