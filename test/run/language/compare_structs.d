/*@
 * what:    == and != compare all bytes of two structs
 */
struct point { int x; char c[3]; };
struct point p, q;
struct point many[int];
BEGIN { p.x = 1; printf("%d %d\n", p == q, p != q); q = p; printf("%d %d\n", p == q, p != q); }
BEGIN { many[3] = p; printf("%d %d\n", many[3] == q, many[4] == q); }
BEGIN /p == q/ { printf("%d\n", p == q ? 1 : 2); }
BEGIN { q.c[2] = 'x'; printf("%d %d\n", p == q, many[3] == q); exit(0); }
