/*@
 * what:    comparisons of 64-bit values use all 64 bits
 */
BEGIN
{
	a = 0x100000001ll;
	b = 0x200000001ll;
	printf("%d %d %d\n", a == b, a < b, a == 1);
	printf("%d %d\n", a && 0x100000000ll, !0x100000000ll);
	exit(0);
}
