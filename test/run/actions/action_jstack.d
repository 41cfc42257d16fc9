/*@
 * what:    for a C program, jstack() prints the same stack as ustack()
 * needs:   syscall
 * run:     -qs %file% -c '%progs%/frames'
 */
syscall::getppid:entry /pid == $target/ { jstack(1); @[jstack(1)] = count(); }
