/*@
 * what:    in a system call probe, caller and stack() show the kernel's system call dispatcher and no frames of the tracer
 * needs:   syscall
 * run:     -qs %file% -c '%progs%/syscalls getppid 1'
 */
syscall::getppid:entry /pid == $target/ { sym(caller); printf("|\n"); @[sym(caller)] = count(); this->s = stack(2); }
syscall::getppid:return /pid == $target/ { sym(caller); printf("|\n"); }
