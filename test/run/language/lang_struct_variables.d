/*@
 * what:    structs can be thread-local, clause-local and associative variables
 */
struct point { int x; int y; } p;
self struct point t; this struct point c; struct point m[string];
BEGIN {
	p.x = 1; p.y = 2;
	self->t = p; this->c = self->t; m["a"] = this->c;
	printf("%d %d %d %d\n", self->t.y, this->c.x, m["a"].y, m["b"].x);
	exit(0);
}
