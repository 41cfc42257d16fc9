/*@
 * what:    copyinstr() reads a string of the process; its second argument limits the size including the NUL
 * needs:   syscall
 * run:     -q -c '%progs%/open_files /nonexistent/some/path'
 */
syscall::openat:entry
/pid == $target && copyinstr(arg1, 5) == "/non"/
{
	printf("[%s]\n", copyinstr(arg1));
	printf("[%s]\n", copyinstr(arg1, 1));
	printf("[%s]\n", copyinstr(arg1, 6));
	this->n = 4;
	printf("[%s]\n", copyinstr(arg1, this->n));
	printf("[%s]\n", copyinstr(arg1 + 13, 1000));
	printf("[%s]\n", basename(copyinstr(arg1)));
	exit(0);
}
