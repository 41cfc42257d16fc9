/*@
 * what:    ucaller is the return address of the current user function, so usym(ucaller) names its caller
 * needs:   syscall
 * run:     -qs %file% -c '%progs%/frames'
 */
syscall::getppid:entry /pid == $target/ { self->c = ucaller; }
syscall::getppid:return /pid == $target/ { @[usym(self->c)] = count(); }
