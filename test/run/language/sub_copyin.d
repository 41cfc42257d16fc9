/*@
 * what:    copyin() copies memory of the process into scratch memory
 * needs:   syscall
 * run:     -q -c '%progs%/open_files /nonexistent/some/path'
 */
syscall::openat:entry
/pid == $target && copyinstr(arg1, 5) == "/non"/
{
	this->p = (char *)copyin(arg1, 23);
	printf("%s\n", stringof(this->p + 13));
	this->p[0] = 'X';
	printf("%.4s\n", stringof(this->p));
	this->n = 3;
	this->q = (char *)copyin(arg1 + 1, this->n);
	printf("[%s] %d\n", stringof(this->q), this->q - this->p);
	exit(0);
}
