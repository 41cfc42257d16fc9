/*@
 * what:    a char array in kernel memory works as an aggregation key
 * needs:   syscall
 * run:     -qs %file% -c '%progs%/syscalls getppid 2'
 */
syscall::getppid:entry /pid == $target/ { @[curthread->comm] = count(); }
