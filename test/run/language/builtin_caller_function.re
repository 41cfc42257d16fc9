^  vmlinux`(do_syscall_64|el0_svc_common(\.[a-z0-9.]+)?) +\|$
^  vmlinux`(do_syscall_64|syscall_exit_to_user_mode|syscall_exit_to_user_mode_prepare|syscall_exit_work|el0_svc_common)(\.[a-z0-9.]+)? +\|$
^  vmlinux`(do_syscall_64|el0_svc_common(\.[a-z0-9.]+)?) +1$
