/*@
 * what:    a pointer to a variable of the traced program reads process memory, also after casts and pointer arithmetic
 * needs:   syscall
 * run:     -qs %file% -c '%progs%/globals'
 */
struct mine { struct mine *next; int value; };
syscall::getppid:entry
/pid == $target/
{
	this->p = (struct mine *)&``first;
	printf("%d %d %d\n", this->p->value, ((struct mine *)&``first)->value, *((int *)&``table + 2));
}
