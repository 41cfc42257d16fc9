/*@
 * what:    division in a predicate needs no parentheses when it cannot be the end
 */
BEGIN { n = 12; }
BEGIN /n / 4 == 3/ { printf("three\n"); exit(0); }
