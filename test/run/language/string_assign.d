/*@
 * what:    after b = a, a later assignment to a does not change b
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
