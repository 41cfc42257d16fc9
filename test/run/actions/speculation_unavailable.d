/*@
 * what:    speculation() returns 0 when all ids are in use, and the tracer reports the failed speculation
 */
BEGIN { self->s = speculation(); printf("%d %d\n", self->s, speculation()); exit(0); }
