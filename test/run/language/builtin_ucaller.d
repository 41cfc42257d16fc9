/*@
 * what:    ucaller is in the caller of the function that runs
 * needs:   syscall
 * run:     -qs %file% -c '%progs%/frames'
 */
syscall::getppid:entry /pid == $target/ { self->c = ucaller; }
syscall::getppid:return /pid == $target/ { @[usym(self->c)] = count(); }
