/*@
 * what:    unsigned integers are divided as unsigned 64-bit values, and the printed quotient has the width of the operands
 */
BEGIN
{
	a = 0xffffffffffffffffull;
	b = 10ull;
	c = 4294967295u;
	d = 10u;
	printf("%d %d %d %d\n", a / b, a % b, c / d, c % d);
	e = -1;
	printf("%d\n", e / d);
	exit(0);
}
