/*@
 * what:    a self-> variable is not set at the return of a system call whose entry was not traced
 * needs:   syscall
 * run:     -qs %file% -c '%progs%/syscalls getppid 10'
 */
syscall::getppid:entry /pid == $target && n++ < 3/ { self->in = n; }
syscall::getppid:return /self->in/ { printf("%d\n", self->in); self->in = 0; }
