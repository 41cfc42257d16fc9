/*@
 * what:    an index of 1 in an array of one element raises a fault
 * stderr:  contains
 */
int a[1];
int g;
BEGIN { g = 0; a[g] = 3; printf("%d\n", a[g]); }
BEGIN { g = 1; a[g] = 4; }
ERROR { printf("%d\n", (int)arg5); }
BEGIN { exit(0); }
