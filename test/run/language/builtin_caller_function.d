/*@
 * what:    caller and stack() skip the tracer's frames and show the system call dispatcher as caller
 * needs:   syscall
 * run:     -qs %file% -c '%progs%/syscalls getppid 1'
 */
syscall::getppid:entry /pid == $target/ { sym(caller); printf("|\n"); @[sym(caller)] = count(); this->s = stack(2); }
syscall::getppid:return /pid == $target/ { sym(caller); printf("|\n"); }
