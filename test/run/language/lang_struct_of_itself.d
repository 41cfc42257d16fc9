/*@
 * what:    a struct definition may have the tag of a kernel struct, and pointers inside it point to the new struct
 */
struct list_head { struct list_head *next; int x; };
BEGIN
{
	this->p = (struct list_head *)alloca(sizeof (struct list_head));
	this->p->next = this->p;
	this->p->x = 7;
	printf("%d %d\n", this->p->next->next->x, sizeof (struct list_head));
	exit(0);
}
