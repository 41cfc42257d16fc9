/*@
 * what:    a ?: of strings with an empty branch compares correctly without stale stack bytes
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
