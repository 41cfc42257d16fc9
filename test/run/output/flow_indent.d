/*@
 * what:    -F indents calls within a system call, and marks other probes with a bar
 * needs:   syscall
 * run:     -F -s %file% -c '%progs%/syscalls getppid 2'
 */
BEGIN {}
syscall::getppid:entry, syscall::getppid:return /pid == $target/ {}
