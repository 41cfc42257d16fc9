/*@
 * what:    copyinto() with an invalid size or address raises a fault
 * stderr:  exact
 */
int n;
BEGIN { n = -1; copyinto(1, n, alloca(8)); }
BEGIN { copyinto(1, 9, alloca(8)); }
BEGIN { copyinto(8, 8, alloca(8)); }
BEGIN { exit(0); }
