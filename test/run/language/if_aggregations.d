/*@
 * what:    aggregations work in both branches of an if
 * needs:   syscall
 * run:     -qs %file% -c '%progs%/syscalls getppid 30'
 */
syscall::getppid:entry
/pid == $target/
{
	if (n++ % 3 == 0) { @third = count(); } else { @rest = count(); }
}
