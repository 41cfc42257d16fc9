/*@
 * what:    arguments that a probe does not have, such as arg6 of a system call, read as 0
 * needs:   syscall
 * run:     -qs %file% -c '%progs%/syscalls close 1'
 */
syscall::close:entry
/pid == $target && (int)arg0 == -1/
{
	printf("%d %d %d %d %d\n", (int)arg0, arg6, arg7, arg8, arg9);
}
BEGIN { printf("%d %d %d %d %d\n", arg0, arg1, arg2, arg5, arg9); }
