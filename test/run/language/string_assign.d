/*@
 * what:    assignment copies a string
 */
BEGIN
{
	a = "first";
	b = a;
	a = "second, longer";
	printf("[%s][%s]\n", a, b);
	a = "x";
	printf("[%s][%s]\n", a, b);
	a = "";
	printf("[%s]\n", a);
	exit(0);
}
