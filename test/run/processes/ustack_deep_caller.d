/*@
 * what:    ucaller is the return address of the innermost function, also without frame pointers
 * needs:   syscall
 * run:     -q -c '%progs%/deep call'
 */
syscall::getppid:entry /pid == $target/ { @[usym(ucaller)] = count(); }
END { printa("%A\n", @); }
