^$
^ {14}vmlinux`do_syscall_64\+0x[0-9a-f]+$
^ {14}vmlinux`entry_SYSCALL_64_after_hwframe\+0x[0-9a-f]+$
^end$
