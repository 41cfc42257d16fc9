/*@
 * what:    bcopy() with an invalid size or address raises a fault
 * stderr:  exact
 */
int n;
BEGIN { n = -1; bcopy(curthread, alloca(8), n); }
BEGIN { n = 257; bcopy(curthread, alloca(256), n); }
BEGIN { bcopy((void *)8, alloca(8), 8); }
BEGIN { bcopy(curthread, alloca(8), 9); }
BEGIN { bcopy((void *)0, alloca(8), 8); }
BEGIN { exit(0); }
