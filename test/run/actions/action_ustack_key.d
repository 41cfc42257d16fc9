/*@
 * what:    ustack() with a frame count and a string size works as an aggregation key, and printa() prints the stack with %k
 * needs:   syscall
 * run:     -qs %file% -c '%progs%/frames'
 */
syscall::getppid:entry /pid == $target/ { @[ustack(2, 0), probename] = count(); }
END { printa("%k %s %@d\n", @); }
