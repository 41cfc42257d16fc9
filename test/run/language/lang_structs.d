/*@
 * what:    D structs can contain structs and unions, and an assignment copies the whole struct
 */
struct point { int x; int y; };
struct line { struct point from; struct point to; union { int i; char c[4]; } u; };
struct line l; struct line k;
BEGIN {
	l.from.x = 1; l.to.y = 4; l.u.i = 0x41424344;
	k = l;
	l.from.x = 9;
	printf("%d %d %c %d\n", k.from.x, k.to.y, k.u.c[0], l.from.x);
	printf("%d %d\n", sizeof (struct line), offsetof(struct line, u));
	exit(0);
}
