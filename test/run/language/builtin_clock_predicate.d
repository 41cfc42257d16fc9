/*@
 * what:    a clock in the predicate is the clock of the clause
 */
BEGIN { self->t = 1; }
BEGIN /self->t && (a = timestamp) && (b = vtimestamp)/ { printf("%d %d\n", a == timestamp, b == vtimestamp); exit(0); }
