/*@
 * what:    each entry of a system call is counted
 * needs:   syscall
 * run:     -qs %file% -c '%progs%/syscalls getpid 100000'
 * timeout: 60
 */
syscall::getpid:entry /pid == $target/ { @n = count(); }
