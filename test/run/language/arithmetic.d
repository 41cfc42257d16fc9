/*@
 * what:    the five arithmetic operators work on int variables
 */
BEGIN
{
	a = 17;
	b = 5;
	printf("%d %d %d %d %d\n", a + b, a - b, a * b, a / b, a % b);
	printf("%d %d %d\n", b - a, -a, +b);
	printf("%d %d\n", a + b * 2, (a + b) * 2);
	exit(0);
}
