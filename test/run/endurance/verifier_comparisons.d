/*@
 * what:    the kernel accepts a record with the results of forty comparisons, and each result is correct
 */
int a, b;
BEGIN { a = 3; b = -4; }
BEGIN
{
	printf("%d%d%d%d%d%d%d%d%d%d", a < 1, a < 2, a < 3, a < 4, a < 5, a < 6, a <= 1, a <= 2, a <= 3, a <= 4);
	printf("%d%d%d%d%d%d%d%d%d%d", a > 1, a > 2, a > 3, a > 4, a == 2, a == 3, a != 2, a != 3, a >= 3, a >= 4);
	printf("%d%d%d%d%d%d%d%d%d%d", b < -5, b < -4, b < -3, b < 4, b < a, a < b, b <= -5, b <= -4, b > -5, b > -4);
	printf("%d%d%d%d%d%d%d%d%d%d\n", !a, !!a, a && b, a || b, a && 0, 0 || b, a ^^ b, a ? 4 : 5, b < 0 ? 6 : 7, !(a < b));
	exit(0);
}
