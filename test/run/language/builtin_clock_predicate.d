/*@
 * what:    a timestamp in a predicate equals the timestamp in its clause
 */
BEGIN { self->t = 1; }
BEGIN /self->t && (a = timestamp) && (b = vtimestamp)/ { printf("%d %d\n", a == timestamp, b == vtimestamp); exit(0); }
