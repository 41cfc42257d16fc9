/*@
 * what:    copyinstr() reads at most strsize bytes
 * needs:   syscall
 * run:     -q -c '%progs%/open_files /nonexistent/some/path'
 */
#pragma D option strsize=8
syscall::openat:entry
/pid == $target && copyinstr(arg1) == "/nonexi"/
{
	printf("[%s][%s]\n", copyinstr(arg1), copyinstr(arg1, 100));
	s = copyinstr(arg1);
	printf("[%s]\n", s);
	exit(0);
}
