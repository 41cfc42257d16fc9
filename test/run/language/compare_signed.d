/*@
 * what:    the six comparison operators compare signed values
 */
BEGIN
{
	a = -1;
	b = 1;
	printf("%d%d%d%d%d%d\n", a < b, a <= b, a > b, a >= b, a == b, a != b);
	printf("%d%d%d%d%d%d\n", b < a, b <= a, b > a, b >= a, b == a, b != a);
	printf("%d%d%d%d%d%d\n", a < a, a <= a, a > a, a >= a, a == a, a != a);
	exit(0);
}
