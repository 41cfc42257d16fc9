/*@
 * what:    a predicate can use a variable that is assigned only in the clause of this predicate
 */
BEGIN /n++ > 2/ { trace(n); }
BEGIN /m > 2/ { m++; }
BEGIN { printf("%d %d\n", n, m); exit(0); }
