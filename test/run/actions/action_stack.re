^$
^ {14}vmlinux`(do_syscall_64|el0_svc_common(\.[a-z0-9.]+)?)\+0x[0-9a-f]+$
^ {14}vmlinux`(entry_SYSCALL_64_after_hwframe|el0t_64_sync)\+0x[0-9a-f]+$
^end$
