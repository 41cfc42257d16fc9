/*@
 * what:    a later program on the command line can widen an undeclared variable of an earlier one
 * run:     -q -n 'BEGIN { q = 0; printf("%d ", sizeof (q)); }' -s %file%
 */
BEGIN { q = 1LL << 40; printf("%d\n", q); exit(0); }
