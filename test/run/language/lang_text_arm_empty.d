/*@
 * what:    a ?: whose one branch is the empty string compares equal to exactly that branch's value
 * needs:   syscall
 * run:     -qs %file% -c '%progs%/syscalls getppid 3'
 */
int first;
syscall::getppid:return
/pid == $target && probefunc == (first++ ? "getppid" : "")/
{
	@hits = count();
}
END { printa("%@d\n", @hits); }
