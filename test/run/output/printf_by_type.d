/*@
 * what:    %d prints a number as signed or unsigned depending on the argument's type; %u and %x print as many bytes as this type has
 * env:     DTRACE_REPRODUCIBLE=
 */
BEGIN
{
	printf("%d %d %d\n", (int8_t)-1, (uint8_t)255, (unsigned short)65535);
	printf("%d %d\n", 4294967295u, 18446744073709551615ull);
	printf("%u %u %u %u\n", (char)-1, (short)-1, -1, -1ll);
	printf("%x %x %x %x\n", (char)-1, (short)-2, -3, -4ll);
	printf("%o %o\n", (uint8_t)255, (char)-1);
	exit(0);
}
