/*@
 * what:    each return of a system call is counted
 * needs:   syscall
 * run:     -qs %file% -c '%progs%/syscalls getpid 1000'
 */
syscall::getpid:return /pid == $target/ { @n = count(); @self = sum(arg0 == pid); @same = sum(arg0 == arg1); }
