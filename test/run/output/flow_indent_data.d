/*@
 * what:    -F prints the data of records, and two clauses at the same entry probe indent only once
 * needs:   syscall
 * run:     -F -s %file% -c '%progs%/write_sizes 5'
 */
syscall::write:entry /pid == $target && arg0 == 3/ { trace(arg2); self->in = 1; }
syscall::write:entry /self->in/ { trace("inside"); }
syscall::write:return /self->in/ { trace((int)arg0); self->in = 0; }
