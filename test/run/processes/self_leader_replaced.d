/*@
 * what:    a thread that replaces the process by exec keeps its self-> variables, and no other thread gets them
 * needs:   syscall
 * run:     -qs %file% -c '%progs%/process_end exec'
 */
syscall::execve:entry
/pid == $target && tid != pid/
{
	self->before = tid;
}

syscall::getppid:entry
/pid == $target/
{
	@[self->before != 0 && self->before != tid && tid == pid] = count();
}

END
{
	printa("%d %@d\n", @);
}
