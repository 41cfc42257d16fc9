/*@
 * what:    adding to a pointer moves it by whole elements, and the difference of two pointers is a number of elements
 */
struct p { int x; int y; };
BEGIN {
	this->p = (struct p *)alloca(32);
	this->q = this->p + 2;
	this->q->y = 7; (this->p + 1)->x = 3;
	printf("%d %d %d %d\n", this->q - this->p, this->p[2].y, (1 + this->p)->x, (uint64_t)this->q - (uint64_t)this->p);
	this->p++; this->q -= 1; this->q++;
	printf("%d %d\n", this->p->x, this->q->y);
	exit(0);
}
