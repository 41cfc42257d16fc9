/*@
 * what:    an id that is being drained is busy
 * stderr:  exact
 */
BEGIN { self->s = speculation(); }
BEGIN { commit(self->s); }
BEGIN { printf("%d\n", speculation()); exit(0); }
