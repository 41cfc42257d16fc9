/*@
 * what:    operators work on 64 bits; what is recorded is narrowed to its type
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
