/*@
 * what:    a kernel type can be named with its module in front, as in struct vmlinux`list_head
 */
BEGIN { printf("%d %d\n", sizeof (struct vmlinux`list_head), sizeof (vmlinux`pid_t)); exit(0); }
