/*@
 * what:    64-bit arithmetic wraps around
 */
int64_t a;
uint64_t b;
BEGIN
{
	a = 0x7fffffffffffffff;
	b = 0xffffffffffffffff;
	printf("%d %d %d\n", a, a + 1, -a - 1);
	printf("%d %d %d\n", b, b + 1, b * b);
	exit(0);
}
