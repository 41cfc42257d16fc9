/*@
 * what:    associative arrays can hold arrays and structs
 */
int m[int][4]; struct p { int x; int y; }; struct p s[int];
BEGIN { m[7][2] = 5; s[1].y = 3; printf("%d %d %d %d\n", m[7][2], m[7][1], m[8][2], s[1].y); exit(0); }
