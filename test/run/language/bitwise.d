/*@
 * what:    the operators &, |, ^ and ~ compute bitwise and, or, exclusive or and complement
 */
BEGIN
{
	a = 0xf0f0;
	b = 0xff00;
	printf("%x %x %x %x\n", a & b, a | b, a ^ b, ~a);
	c = 0x00ff00ff00ff00ffll;
	printf("%x %x\n", ~c, c & a);
	exit(0);
}
