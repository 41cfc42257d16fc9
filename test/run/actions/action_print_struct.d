/*@
 * what:    print() shows nested structs, arrays and bit-fields, and omits members that are all zero
 */
struct inner { char c; short s[2]; };
enum color { red, green };
struct outer { int a; int zero; struct inner in; struct inner *next; unsigned f : 3; enum color e; char name[8]; };

BEGIN
{
	this->p = (struct outer *)alloca(sizeof(struct outer));
	this->p->a = -3;
	this->p->in.c = 'A';
	this->p->in.s[1] = 7;
	this->p->f = 5;
	this->p->e = green;
	this->p->name[0] = 'h';
	this->p->name[1] = 'i';
	print(this->p);
	exit(0);
}
