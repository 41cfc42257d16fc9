/*@
 * what:    ucaller is the innermost function's return address, also without a frame pointer
 * needs:   syscall
 * run:     -q -c '%progs%/deep call'
 */
syscall::getppid:entry /pid == $target/ { @[usym(ucaller)] = count(); }
END { printa("%A\n", @); }
