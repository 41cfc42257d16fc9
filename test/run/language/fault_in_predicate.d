/*@
 * what:    a fault in a predicate skips its clause
 */
BEGIN { z = 0; }
BEGIN /1 / z/ { printf("no\n"); }
BEGIN { printf("yes\n"); exit(0); }
