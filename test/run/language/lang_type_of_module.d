/*@
 * what:    a type of the core kernel can be named by its module
 */
BEGIN { printf("%d %d\n", sizeof (struct vmlinux`list_head), sizeof (vmlinux`pid_t)); exit(0); }
