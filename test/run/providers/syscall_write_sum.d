/*@
 * what:    the sum of the sizes at entry of write(2) equals the sum of the results at return
 * needs:   syscall
 * run:     -qs %file% -c '%progs%/writes 500 123'
 */
syscall::write:entry /pid == $target && arg0 == 3/ { self->w = 1; @in = sum(arg2); }
syscall::write:return /self->w/ { @out = sum(arg0); self->w = 0; }
