/*@
 * what:    a fault inside ERROR is not reported again
 * expect:  exact
 * stderr:  contains
 */
BEGIN { z = 0; trace(1 / z); }
ERROR { printf("before\n"); trace(1 / z); }
ERROR { printf("second\n"); }
BEGIN { exit(0); }
