/*@
 * what:    chill() is refused beyond half a second of delay in each second
 * needs:   syscall guest
 * run:     -q -w -s %file% -c '%progs%/syscalls getppid 1'
 */
syscall::getppid:entry /pid == $target/ { this->ns = 500000001; chill(this->ns); printf("not here\n"); }
syscall::getppid:entry /pid == $target/ { chill(-1); printf("not here\n"); }
ERROR { printf("%d\n", arg4 == DTRACEFLT_ILLOP); }
