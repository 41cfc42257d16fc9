/*@
 * what:    >> fills with the sign if its left operand is signed, and with zeros otherwise
 */
BEGIN
{
	a = -16;
	b = 0xfffffff0u;
	c = -16ll;
	d = 0xfffffffffffffff0ull;
	n = 2;
	printf("%d %d %d %d\n", a >> n, b >> n, c >> n, d >> n);
	printf("%d %d\n", 3 << n, 1ll << (n + 38));
	printf("%d\n", sizeof (n << 1ll));
	exit(0);
}
