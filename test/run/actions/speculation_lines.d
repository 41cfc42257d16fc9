/*@
 * what:    committed samples print with the probe that recorded them, and the committing clause prints no line
 * run:     -s %file%
 */
BEGIN { self->s = speculation(); }
BEGIN { speculate(self->s); trace(7); }
BEGIN { speculate(self->s); }
BEGIN { commit(self->s); exit_now = 1; }
BEGIN { exit(0); }
