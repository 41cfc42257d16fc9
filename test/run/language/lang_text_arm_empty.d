/*@
 * what:    a ?: with an empty string as one result can be compared with a string, and has the value of the selected result
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
