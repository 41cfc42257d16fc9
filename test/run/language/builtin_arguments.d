/*@
 * what:    arg0 to arg5 are the six arguments of a system call
 * needs:   syscall
 * run:     -qs %file% -c '%progs%/registers'
 */
syscall::getppid:entry
/pid == $target/
{
	printf("%d %d %d %d %d %d %d\n", arg0, arg1, arg2, arg3, arg4, arg5, arg6);
}
