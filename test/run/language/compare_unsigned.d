/*@
 * what:    a comparison of a signed and an unsigned operand converts both to a common type first
 */
BEGIN
{
	a = -1;
	b = 1u;
	c = 1ull;
	d = -1ll;
	printf("%d %d %d\n", a < b, a < c, d < b);
	printf("%d %d\n", -1 < 1u, -1 < 1);
	printf("%d\n", 0xffffffffffffffffull > 1);
	exit(0);
}
