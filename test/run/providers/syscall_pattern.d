/*@
 * what:    probe patterns match the whole function name
 * needs:   syscall
 * run:     -qs %file% -c '%progs%/syscalls getppid 7'
 */
syscall::getp[a-p]id:entry, syscall::get?id:entry /pid == $target/ { @[probefunc] = count(); }
