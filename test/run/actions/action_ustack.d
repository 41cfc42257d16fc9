/*@
 * what:    ustack() prints a user stack by following frame pointers
 * needs:   syscall
 * run:     -qs %file% -c '%progs%/frames'
 */
syscall::getppid:entry /pid == $target/ { ustack(4); printf("end\n"); }
