/*@
 * what:    built-in variables and expressions work as aggregation keys
 * needs:   syscall
 * run:     -qs %file% -c '%progs%/syscalls getppid 7'
 */
syscall::getppid:entry /pid == $target/ { @[probeprov, probename, pid == $target, n++ & 1] = count(); }
