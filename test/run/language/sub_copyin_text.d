/*@
 * what:    stringof() of memory from copyin() ends after the copied bytes
 * needs:   syscall
 * run:     -q -c '%progs%/open_files /nonexistent/some/path'
 */
syscall::openat:entry
/pid == $target && copyinstr(arg1, 5) == "/non"/
{
	this->whole = (char *)copyin(arg1, 22);
	this->eight = (char *)copyin(arg1, 8);
	this->n = 3;
	this->three = (char *)copyin(arg1 + 1, this->n);
	this->sixteen = (char *)copyin(arg1 + 4, 16);
	printf("[%s] [%s] ", stringof(this->whole), stringof(this->eight));
	printf("[%s] [%s]\n", stringof(this->three), stringof(this->sixteen));
	printf("%s %d\n", strjoin(stringof(this->eight), "!"), strlen(stringof(this->three)));
}
syscall::openat:entry
/this->whole != NULL/
{
	this->copy = (char *)alloca(8);
	this->other = (char *)alloca(this->n + 5);
	bcopy(this->whole, this->copy, 8);
	copyinto(arg1 + 4, 8, this->other);
	printf("[%s] [%s] [%s] [%s]\n", stringof(this->copy), stringof(this->other), copyinstr(arg1, 0), copyinstr(arg1, this->n - 3));
	exit(0);
}
