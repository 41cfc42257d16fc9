/*@
 * what:    without -q, records of system call probes print in the default columns
 * needs:   syscall
 * run:     -s %file% -c '%progs%/syscalls getppid 2'
 */
syscall::getppid:entry, syscall::getppid:return /pid == $target/ {}
