/*@
 * what:    a fault in an ERROR clause ends that clause without a message, and other ERROR clauses run
 * expect:  exact
 * stderr:  contains
 */
BEGIN { z = 0; trace(1 / z); }
ERROR { printf("before\n"); trace(1 / z); }
ERROR { printf("second\n"); }
BEGIN { exit(0); }
