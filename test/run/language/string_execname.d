/*@
 * what:    execname compares and records like any string
 * needs:   syscall
 * run:     -qs %file% -c '%progs%/syscalls getppid 3'
 */
syscall::getppid:entry /pid == $target && execname == "syscalls"/ { @[execname] = count(); }
