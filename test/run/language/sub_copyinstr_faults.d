/*@
 * what:    sizes and addresses that copyinstr() refuses
 * stderr:  exact
 */
int n;
BEGIN { trace(copyinstr(8)); }
BEGIN { trace(copyinstr(0)); }
BEGIN { trace(copyinstr(16, 0)); }
BEGIN { n = 0; trace(copyinstr(24, n)); }
BEGIN { exit(0); }
