/*@
 * what:    a program can use a type of an executable's .ctf section by the name EXECUTABLE`TYPE
 * needs:   syscall ctf
 * run:     -qs %file% -c '%progs%/globals_ctf'
 */
syscall::getppid:entry
/pid == $target/
{
	this->n = (globals_ctf`node_t *)&``first;
	printf("%d %d\n", this->n->value, this->n->next->value);
	printf("%d %d\n", sizeof(struct globals_ctf`node), offsetof(globals_ctf`node_t, name));
}
