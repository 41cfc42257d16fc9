/*@
 * what:    chill() delays the probe for the given time
 * needs:   syscall guest
 * run:     -q -w -s %file% -c '%progs%/syscalls getppid 1'
 */
syscall::getppid:entry /pid == $target/ { self->t = timestamp; chill(20000000); }
syscall::getppid:return /pid == $target/ { printf("%d\n", timestamp - self->t >= 20000000); }
