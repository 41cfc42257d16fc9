/*@
 * what:    a clause with several probe descriptions runs once for each
 */
int n;
BEGIN, BEGIN { n++; }
BEGIN { printf("%d\n", n); exit(0); }
