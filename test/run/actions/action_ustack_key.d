/*@
 * what:    user stacks as keys: the two arguments, and printa("%k")
 * needs:   syscall
 * run:     -qs %file% -c '%progs%/frames'
 */
syscall::getppid:entry /pid == $target/ { @[ustack(2, 0), probename] = count(); }
END { printa("%k %s %@d\n", @); }
