/*@
 * what:    a predicate can use a variable that its own clause is the only one to assign
 */
BEGIN /n++ > 2/ { trace(n); }
BEGIN /m > 2/ { m++; }
BEGIN { printf("%d %d\n", n, m); exit(0); }
