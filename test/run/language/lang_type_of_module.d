/*@
 * what:    a type of the core kernel by its module
 */
BEGIN { printf("%d %d\n", sizeof (struct vmlinux`list_head), sizeof (vmlinux`pid_t)); exit(0); }
