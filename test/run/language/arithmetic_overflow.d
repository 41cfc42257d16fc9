/*@
 * what:    operators compute in 64 bits, and recorded values are narrowed to their type
 */
int x;
unsigned u;
BEGIN
{
	x = 1 << 30;
	u = 1 << 31;
	printf("%x %d\n", (long long)(x + x), x << 5);
	printf("%x %d\n", (long long)(u + u), (u * 2) == 0);
	exit(0);
}
