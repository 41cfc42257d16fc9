/*@
 * what:    at the return of a failed system call, arg0 is negative and errno is the error number
 * needs:   syscall
 * run:     -qs %file% -c '%progs%/syscalls close 10'
 */
syscall::close:entry /pid == $target && (int)arg0 == -1/ { self->bad = 1; @e = sum(errno); }
syscall::close:return /self->bad/ { @[(int)arg0, errno] = count(); self->bad = 0; }
