/*@
 * what:    with all ids in use speculation() gives 0, and that is told
 */
BEGIN { self->s = speculation(); printf("%d %d\n", self->s, speculation()); exit(0); }
