/*@
 * what:    a process is progeny of itself and of its ancestors
 */
BEGIN
{
	printf("%d %d %d %d\n", progenyof($pid), progenyof($ppid), progenyof(999999999), progenyof(-1));
	printf("%d\n", progenyof(1));
	exit(0);
}
