/*@
 * what:    chill() of more than half a second or of a negative time raises a fault
 * needs:   syscall guest
 * run:     -q -w -s %file% -c '%progs%/syscalls getppid 1'
 */
syscall::getppid:entry /pid == $target/ { this->ns = 500000001; chill(this->ns); printf("not here\n"); }
syscall::getppid:entry /pid == $target/ { chill(-1); printf("not here\n"); }
ERROR { printf("%d\n", arg4 == DTRACEFLT_ILLOP); }
