/*@
 * what:    a struct in memory from alloca() can be accessed by member and copied as a whole
 */
struct point { int x; long y; char name[8]; };
struct point copy;
BEGIN
{
	this->p = (struct point *)alloca(sizeof (struct point));
	this->p->x = 3;
	this->p->y = 4;
	this->p->name[0] = 'n';
	copy = *this->p;
	printf("%d %d %s %d\n", copy.x, copy.y, stringof(copy.name), this->p->x * this->p->y);
	exit(0);
}
