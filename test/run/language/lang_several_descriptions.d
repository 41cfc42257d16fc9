/*@
 * what:    a clause with several probe descriptions runs for the probes of each
 */
int n;
BEGIN, BEGIN { n++; }
BEGIN { printf("%d\n", n); exit(0); }
