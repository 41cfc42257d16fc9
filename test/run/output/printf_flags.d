/*@
 * what:    %d accepts flags and widths such as %-5d and %05d
 * env:     DTRACE_REPRODUCIBLE=
 */
BEGIN
{
	printf("[%5d][%-5d][%05d][%+d][% d]\n", 42, 42, 42, 42, 42);
	printf("[%5d][%-5d][%05d][%+d][% d]\n", -42, -42, -42, -42, -42);
	exit(0);
}
