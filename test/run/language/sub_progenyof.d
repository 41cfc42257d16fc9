/*@
 * what:    progenyof() is true for the process itself and for its ancestors
 */
BEGIN
{
	printf("%d %d %d %d\n", progenyof($pid), progenyof($ppid), progenyof(999999999), progenyof(-1));
	printf("%d\n", progenyof(1));
	exit(0);
}
