/*@
 * what:    a text of two arms, one of them empty, is compared by words: bytes behind the short one are never what the stack held
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
