/*@
 * what:    copyinto() copies memory of the process into memory from alloca()
 * needs:   syscall
 * run:     -q -c '%progs%/open_files /nonexistent/some/path'
 */
syscall::openat:entry
/pid == $target && copyinstr(arg1, 5) == "/non"/
{
	this->p = (char *)alloca(32);
	copyinto(arg1, 12, this->p);
	copyinto(arg1 + 13, 4, this->p + 20);
	printf("[%s][%s]\n", stringof(this->p), stringof(this->p + 20));
	exit(0);
}
