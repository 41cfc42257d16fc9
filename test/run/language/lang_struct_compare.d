/*@
 * what:    == and != compare all bytes of two D structs
 */
struct point { int x; int y; } p; struct point q;
BEGIN { p.x = 1; q.x = 1; printf("%d ", p == q); q.y = 1; printf("%d %d\n", p == q, p != q); exit(0); }
