/*@
 * what:    signed division works on 8-bit and 16-bit variables
 */
int8_t a, b;
int16_t c, d;
BEGIN
{
	a = -100;
	b = 7;
	c = -30000;
	d = -7;
	printf("%d %d %d %d\n", a / b, a % b, c / d, c % d);
	exit(0);
}
