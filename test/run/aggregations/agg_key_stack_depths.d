/*@
 * what:    ustack(1) and ustack(2) as keys of one aggregation print one and two frames
 * needs:   syscall
 * run:     -qs %file% -c '%progs%/frames'
 * expect:  regex
 */
syscall::getppid:entry /pid == $target/ { @[ustack(1)] = sum(1); @[ustack(2)] = sum(2); }
END { printa("%k=%@d\n", @); }
