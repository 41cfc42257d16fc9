/*@
 * what:    each of four threads has its own value of a self-> variable
 * needs:   syscall
 * run:     -qs %file% -c '%progs%/storm 1000 4'
 */
syscall::getppid:entry /pid == $target/ { self->n++; @most = max(self->n); @all = count(); }
