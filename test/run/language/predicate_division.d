/*@
 * what:    a predicate may contain a division without parentheses
 */
BEGIN { n = 12; }
BEGIN /n / 4 == 3/ { printf("three\n"); exit(0); }
