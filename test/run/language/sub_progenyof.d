/*@
 * what:    progenyof(PID) is 1 if PID is the current process or one of its ancestors, and 0 otherwise
 */
BEGIN
{
	printf("%d %d %d %d\n", progenyof($pid), progenyof($ppid), progenyof(999999999), progenyof(-1));
	printf("%d\n", progenyof(1));
	exit(0);
}
