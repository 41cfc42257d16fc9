/*@
 * what:    an assignment in a later program of the command line can make an undeclared variable of an earlier program wider
 * run:     -q -n 'BEGIN { q = 0; printf("%d ", sizeof (q)); }' -s %file%
 */
BEGIN { q = 1LL << 40; printf("%d\n", q); exit(0); }
