/*@
 * what:    arithmetic with int variables and int constants is computed in 64 bits
 */
int x;
int64_t n;
uint64_t u;
BEGIN
{
	x = 1000000;
	n = x * x;
	u = 1 << 40;
	printf("%d %x %d\n", n, u, x * x / x);
	printf("%d %d %d\n", x * x > 5000000000, (1 << 40) > 0, (1 << 40) == 0);
	printf("%d\n", 1 << 40);
	@ = sum(x * x);
}
BEGIN /x * 4294967296/ { printf("the predicate sees 64 bits\n"); }
BEGIN { exit(0); }
