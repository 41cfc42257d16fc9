/*@
 * what:    $target is the process that -c started
 * needs:   syscall
 * run:     -qs %file% -c '%progs%/syscalls getppid 4'
 */
BEGIN { printf("%d\n", $target > 1); }
syscall::getppid:entry /pid == $target/ { @[execname] = count(); }
