/*@
 * what:    the strings of fds[] are <none> and its numbers 0 if the descriptor is not open
 */
BEGIN
{
	this->f = -1;
	printf("%s %s %s %s %s %d %d\n", fds[this->f].fi_name, fds[this->f].fi_dirname, fds[this->f].fi_pathname, fds[this->f].fi_fs,
	    fds[this->f].fi_mount, fds[this->f].fi_offset, fds[this->f].fi_oflags);
	printf("%s %s\n", fds[1000000].fi_name, fds[250].fi_pathname);
	exit(0);
}
