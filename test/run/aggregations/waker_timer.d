/*@
 * what:    after a timer ended a wait, waker.execname is "interrupt" and waker.pid is 0
 * needs:   syscall
 * run:     -q -c 'sleep 0.01'
 */
syscall::clock_nanosleep:entry /pid == $target/ { self->t = mark(); }
syscall::clock_nanosleep:return /self->t/ { printf("%s %d %d %d\n", waker.execname, waker.pid, waker.tid, waited > 0 && waited < timestamp - self->t); exit(0); }
