/*@
 * what:    caller and stack() know nothing of the tracer: the call's hook was called by do_syscall_64 (on arm64 by el0_svc_common)
 * needs:   syscall
 * run:     -qs %file% -c '%progs%/syscalls getppid 1'
 */
syscall::getppid:entry /pid == $target/ { sym(caller); printf("|\n"); @[sym(caller)] = count(); this->s = stack(2); }
syscall::getppid:return /pid == $target/ { sym(caller); printf("|\n"); }
