/*@
 * what:    -F indents by system call entry and return, and prints a bar for other probes
 * needs:   syscall
 * run:     -F -s %file% -c '%progs%/syscalls getppid 2'
 */
BEGIN {}
syscall::getppid:entry, syscall::getppid:return /pid == $target/ {}
