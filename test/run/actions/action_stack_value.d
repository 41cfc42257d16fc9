/*@
 * what:    stacks can be stored in global, thread-local, clause-local and associative variables, compared, and used as keys
 * needs:   syscall
 * run:     -qs %file% -c '%progs%/frames'
 */
self dt_stack_t mine, none;
dt_stack_t kept[int];

syscall::getppid:entry
/pid == $target/
{
	this->s = ustack(4);
	self->mine = this->s;
	any = this->s;
	kept[1] = any;
	seen[self->mine] = 5;
	@[this->s] = count();
	printf("%d %d %d %d\n", kept[1] == this->s, kept[2] == this->s, self->none != this->s, seen[this->s]);
	printf("%k", self->mine);
}
