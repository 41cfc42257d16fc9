/*@
 * what:    default columns of syscall probes
 * needs:   syscall
 * run:     -s %file% -c '%progs%/syscalls getppid 2'
 */
syscall::getppid:entry, syscall::getppid:return /pid == $target/ {}
