/*@
 * what:    a fault is reported in quiet mode, and the rest of the program runs
 * stderr:  exact
 */
BEGIN { zero = 0; trace(1 / zero); }
BEGIN { printf("on\n"); exit(0); }
