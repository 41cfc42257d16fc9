/*@
 * what:    an assignment to a smaller type keeps the low bits
 */
int8_t a;
uint8_t b;
int16_t c;
uint16_t d;
int32_t e;
uint32_t f;
BEGIN
{
	a = 300;
	b = -1;
	c = 70000;
	d = -2;
	e = 0x1fffffffe;
	f = -3;
	printf("%d %d %d %d %d %d\n", a, b, c, d, e, f);
	a = 200;
	c = 40000;
	e = 0x80000000;
	printf("%d %d %d\n", a, c, e);
	exit(0);
}
