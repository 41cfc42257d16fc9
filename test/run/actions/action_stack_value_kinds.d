/*@
 * what:    kernel and user stacks can be keys of one aggregation, and trace() prints a stack
 * needs:   syscall
 * run:     -qs %file% -c '%progs%/frames'
 */
syscall::getppid:entry /pid == $target/ { this->k = stack(2); @[this->k] = count(); trace(ustack(1)); }
syscall::getppid:return /pid == $target/ { @[ustack(1)] = count(); @[ustack(1)] = count(); }
