/*@
 * what:    *, +, <<, <, ==, &, && and other operators have the documented precedence
 */
BEGIN
{
	a = 2;
	b = 3;
	c = 4;
	printf("%d %d %d\n", a + b * c, a << b + 1, a < b == 1);
	printf("%d %d %d\n", a | b & c, a ^ b | c, a & b == 3);
	printf("%d %d\n", a || b && 0, 0 && a || b);
	printf("%d %d\n", -a * -b, ~a & 0xff);
	exit(0);
}
