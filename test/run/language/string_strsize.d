/*@
 * what:    a string longer than option strsize is truncated when it is assigned
 * run:     -qs %file% -x strsize=8
 */
BEGIN
{
	a = "12345678";
	b = "123456789";
	printf("[%s][%s] %d\n", a, b, sizeof (a));
	exit(0);
}
