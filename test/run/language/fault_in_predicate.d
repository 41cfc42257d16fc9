/*@
 * what:    a fault in a predicate prints an error line, and the clause does not run
 */
BEGIN { z = 0; }
BEGIN /1 / z/ { printf("no\n"); }
BEGIN { printf("yes\n"); exit(0); }
