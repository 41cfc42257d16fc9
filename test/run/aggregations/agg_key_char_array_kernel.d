/*@
 * what:    a char array of the kernel works as an aggregation key
 * needs:   syscall
 * run:     -qs %file% -c '%progs%/syscalls getppid 2'
 */
syscall::getppid:entry /pid == $target/ { @[curthread->comm] = count(); }
