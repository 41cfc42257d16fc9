/*@
 * what:    ucaller is an address in the caller of the current user function
 * needs:   syscall
 * run:     -qs %file% -c '%progs%/frames'
 */
syscall::getppid:entry /pid == $target/ { self->c = ucaller; }
syscall::getppid:return /pid == $target/ { @[usym(self->c)] = count(); }
