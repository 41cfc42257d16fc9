/*@
 * what:    a clause with several descriptions runs once for each
 */
int n;
BEGIN, BEGIN { n++; }
BEGIN { printf("%d\n", n); exit(0); }
