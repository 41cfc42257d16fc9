^  vmlinux`do_syscall_64 +\|$
^  vmlinux`(do_syscall_64|syscall_exit_to_user_mode|syscall_exit_to_user_mode_prepare|syscall_exit_work)(\.[a-z0-9.]+)? +\|$
^  vmlinux`do_syscall_64 +1$
