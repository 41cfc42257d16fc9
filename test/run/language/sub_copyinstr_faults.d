/*@
 * what:    copyinstr() of an invalid address raises a fault, except with size 0
 * stderr:  exact
 */
int n;
BEGIN { trace(copyinstr(8)); }
BEGIN { trace(copyinstr(0)); }
BEGIN { printf("[%s]\n", copyinstr(16, 0)); }
BEGIN { n = 0; printf("[%s]\n", copyinstr(24, n)); }
BEGIN { exit(0); }
