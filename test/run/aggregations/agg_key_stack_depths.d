/*@
 * what:    keys of one aggregation that are stacks of different depths are each as deep as its own ustack() says
 * needs:   syscall
 * run:     -qs %file% -c '%progs%/frames'
 * expect:  regex
 */
syscall::getppid:entry /pid == $target/ { @[ustack(1)] = sum(1); @[ustack(2)] = sum(2); }
END { printa("%k=%@d\n", @); }
