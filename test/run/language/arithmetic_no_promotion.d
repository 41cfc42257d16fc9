/*@
 * what:    the wider operand sets the type of a result; types smaller than int are not promoted to int
 */
int8_t a;
uint8_t b;
int16_t c;
BEGIN
{
	a = 127;
	b = 255;
	c = 1;
	printf("%d %d %d\n", sizeof (a + b), sizeof (a + c), sizeof (c + 1));
	printf("%d %d %d\n", a + a, b + b, a + 1);
	printf("%d\n", a + b);
	exit(0);
}
