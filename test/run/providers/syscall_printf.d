/*@
 * what:    records of a thousand system calls print in order and without loss
 * needs:   syscall
 * run:     -qs %file% -c '%progs%/syscalls getppid 1000'
 */
syscall::getppid:entry /pid == $target/ { printf("%d\n", n++); }
