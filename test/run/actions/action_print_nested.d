/*@
 * what:    print() shows arrays of structs, unions, untagged structs and pointers
 */
struct item { int x; union { int i; char c[4]; } u; struct { short s; } n; struct item *next; };
struct list { struct item items[2]; unsigned char small; long long big; struct item *links[2]; };

BEGIN
{
	this->l = (struct list *)alloca(sizeof(struct list));
	this->l->items[1].x = 5;
	this->l->items[1].u.i = 0x41424344;
	this->l->items[1].n.s = -2;
	this->l->small = 200;
	this->l->big = -1;
	this->l->links[1] = (struct item *)0x1234;
	print(this->l);
	exit(0);
}
