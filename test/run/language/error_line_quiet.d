/*@
 * what:    a fault is told in quiet mode, and the rest of the program goes on
 * stderr:  exact
 */
BEGIN { zero = 0; trace(1 / zero); }
BEGIN { printf("on\n"); exit(0); }
