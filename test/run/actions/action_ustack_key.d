/*@
 * what:    ustack() works as an aggregation key with either argument, and printa() prints it with %k
 * needs:   syscall
 * run:     -qs %file% -c '%progs%/frames'
 */
syscall::getppid:entry /pid == $target/ { @[ustack(2, 0), probename] = count(); }
END { printa("%k %s %@d\n", @); }
