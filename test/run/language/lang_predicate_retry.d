/*@
 * what:    a predicate may use what its own clause assigns, and the other way round
 */
BEGIN /n++ > 2/ { trace(n); }
BEGIN /m > 2/ { m++; }
BEGIN { printf("%d %d\n", n, m); exit(0); }
