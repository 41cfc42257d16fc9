/*@
 * what:    copyin() of 0 bytes returns the empty string, even after a later copyin() into the memory that follows
 * needs:   syscall
 * run:     -qs %file% -c '%progs%/open_files /nonexistent/some/path'
 */
syscall::openat:entry
/pid == $target && copyinstr(arg1, 5) == "/non"/
{
	this->n = 0;
	this->first = (char *)copyin(arg1, 0);
	this->second = (char *)copyin(arg1, this->n);
	this->third = (char *)copyin(arg1, 4);
	this->fourth = (char *)copyin(arg1, 0);
	printf("[%s] [%s] [%s] [%s]\n", stringof(this->first), stringof(this->second), stringof(this->third), stringof(this->fourth));
	exit(0);
}
