/*@
 * what:    assignments in a speculating clause stay in effect after discard()
 */
BEGIN { self->s = speculation(); }
BEGIN { speculate(self->s); x = 5; trace(1); }
BEGIN { discard(self->s); printf("%d\n", x); exit(0); }
