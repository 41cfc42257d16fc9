/*@
 * what:    a user stack, by frame pointers
 * needs:   syscall
 * run:     -qs %file% -c '%progs%/frames'
 */
syscall::getppid:entry /pid == $target/ { ustack(4); printf("end\n"); }
