/*@
 * what:    a pattern in a probe description must match the whole name of the function
 * needs:   syscall
 * run:     -qs %file% -c '%progs%/syscalls getppid 7'
 */
syscall::getp[a-p]id:entry, syscall::get?id:entry /pid == $target/ { @[probefunc] = count(); }
