/*@
 * what:    timestamp and vtimestamp have the same value in a predicate and in its clause
 */
BEGIN { self->t = 1; }
BEGIN /self->t && (a = timestamp) && (b = vtimestamp)/ { printf("%d %d\n", a == timestamp, b == vtimestamp); exit(0); }
