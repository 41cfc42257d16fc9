/*@
 * what:    ucaller is the address that the innermost function returns to, also where it keeps no frame pointer
 * needs:   syscall
 * run:     -q -c '%progs%/deep call'
 */
syscall::getppid:entry /pid == $target/ { @[usym(ucaller)] = count(); }
END { printa("%A\n", @); }
