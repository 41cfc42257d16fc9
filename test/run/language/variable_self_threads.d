/*@
 * what:    each thread has its own thread-local counter
 * needs:   syscall
 * run:     -qs %file% -c '%progs%/storm 1000 4'
 */
syscall::getppid:entry /pid == $target/ { self->n++; @most = max(self->n); @all = count(); }
