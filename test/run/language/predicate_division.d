/*@
 * what:    a division in a predicate needs no parentheses if it cannot end the predicate
 */
BEGIN { n = 12; }
BEGIN /n / 4 == 3/ { printf("three\n"); exit(0); }
