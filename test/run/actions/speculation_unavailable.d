/*@
 * what:    speculation() returns 0 when all ids are in use, and the failure is reported
 */
BEGIN { self->s = speculation(); printf("%d %d\n", self->s, speculation()); exit(0); }
