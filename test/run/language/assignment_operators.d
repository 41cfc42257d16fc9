/*@
 * what:    every compound assignment operator works
 */
BEGIN
{
	a = 10;
	a += 5; printf("%d ", a);
	a -= 3; printf("%d ", a);
	a *= 4; printf("%d ", a);
	a /= 5; printf("%d ", a);
	a %= 6; printf("%d ", a);
	a <<= 4; printf("%d ", a);
	a >>= 1; printf("%d ", a);
	a |= 5; printf("%d ", a);
	a &= 12; printf("%d ", a);
	a ^= 6; printf("%d\n", a);
	exit(0);
}
