/*@
 * what:    a system call return without entry sees no thread-local variable
 * needs:   syscall
 * run:     -qs %file% -c '%progs%/syscalls getppid 10'
 */
syscall::getppid:entry /pid == $target && n++ < 3/ { self->in = n; }
syscall::getppid:return /self->in/ { printf("%d\n", self->in); self->in = 0; }
