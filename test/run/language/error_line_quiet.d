/*@
 * what:    with -q, a fault still prints an error line, and later clauses run
 * stderr:  exact
 */
BEGIN { zero = 0; trace(1 / zero); }
BEGIN { printf("on\n"); exit(0); }
