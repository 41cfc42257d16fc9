/*@
 * what:    memory from copyin() remains readable in later clauses of the same probe hit
 * needs:   syscall
 * run:     -q -c '%progs%/open_files /nonexistent/some/path'
 */
syscall::openat:entry
/pid == $target && copyinstr(arg1, 5) == "/non"/
{
	this->p = (char *)copyin(arg1, 4);
}
syscall::openat:entry
/this->p != NULL/
{
	this->q = (char *)copyin(arg1 + 12, 10);
}
syscall::openat:entry
/this->p != NULL/
{
	printf("[%.4s] [%.10s]\n", stringof(this->p), stringof(this->q));
	exit(0);
}
