/*@
 * what:    %hd, %ld and %lld accept an argument of the C type that the modifier names
 */
BEGIN
{
	printf("%hd %hi %hu %ho %hx %hX\n", (short)-2, (short)-3, (unsigned short)65535, (unsigned short)8, (short)255, (unsigned short)255);
	printf("%ld %li %lu %lo %lx %lX\n", -2l, -3l, 4ul, 8ul, 255l, 255ul);
	printf("%lld %lli %llu %llo %llx %llX\n", -2ll, -3ll, 4ull, 8ull, 255ll, 255ull);
	printf("%lld %lu\n", (int64_t)-1, (uint64_t)1);
	exit(0);
}
