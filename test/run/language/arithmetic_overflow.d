/*@
 * what:    sums and shifts are computed in 64 bits, and trace() or printf() truncates the result to its type
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
