/*@
 * what:    sizeof works on array elements and members
 */
struct s { char c[10]; short n; } v; int m[string]; string t[int];
BEGIN { printf("%d %d %d %d\n", sizeof (v.c), sizeof (m["x"]), sizeof (t[1]), sizeof (v.n)); exit(0); }
