/*@
 * what:    what a speculating clause assigns stays after discard()
 */
BEGIN { self->s = speculation(); }
BEGIN { speculate(self->s); x = 5; trace(1); }
BEGIN { discard(self->s); printf("%d\n", x); exit(0); }
