/*@
 * what:    return() of a value that is not an error number raises a fault, and the system call runs
 * needs:   syscall guest override
 * run:     -q -w -s %file% -c '%progs%/syscalls close 1'
 */
syscall::close:entry /pid == $target && (int)arg0 == -1/ { this->n = 1; return(this->n); }
ERROR { printf("%d\n", arg4 == DTRACEFLT_ILLOP); }
syscall::close:return /pid == $target && errno/ { printf("%d\n", errno == EBADF); }
