/*@
 * what:    copyin() with an invalid size or address raises a fault
 * stderr:  exact
 */
int n;
BEGIN { n = -1; copyin(1, n); }
BEGIN { n = 257; copyin(1, n); }
BEGIN { copyin(8, 8); }
BEGIN { copyin(0, 1); }
BEGIN { alloca(250); copyin(8, 8); }
BEGIN { exit(0); }
