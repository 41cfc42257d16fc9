/*@
 * what:    records of a thousand calls, in order, none lost
 * needs:   syscall
 * run:     -qs %file% -c '%progs%/syscalls getppid 1000'
 */
syscall::getppid:entry /pid == $target/ { printf("%d\n", n++); }
