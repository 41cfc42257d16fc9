/*@
 * what:    committed samples are lines of their own probe; the clause that commits has none
 * run:     -s %file%
 */
BEGIN { self->s = speculation(); }
BEGIN { speculate(self->s); trace(7); }
BEGIN { speculate(self->s); }
BEGIN { commit(self->s); exit_now = 1; }
BEGIN { exit(0); }
