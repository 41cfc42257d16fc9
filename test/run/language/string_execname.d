/*@
 * what:    execname can be compared, used as a key, and recorded like other strings
 * needs:   syscall
 * run:     -qs %file% -c '%progs%/syscalls getppid 3'
 */
syscall::getppid:entry /pid == $target && execname == "syscalls"/ { @[execname] = count(); }
