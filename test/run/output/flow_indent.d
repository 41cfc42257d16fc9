/*@
 * what:    -F indents by system call, other probes get a bar
 * needs:   syscall
 * run:     -F -s %file% -c '%progs%/syscalls getppid 2'
 */
BEGIN {}
syscall::getppid:entry, syscall::getppid:return /pid == $target/ {}
