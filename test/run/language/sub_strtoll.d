/*@
 * what:    strtoll() reads the number at the start of a string
 */
BEGIN
{
	printf("%d\n", strtoll("123"));
	printf("%d\n", strtoll("-123"));
	printf("%d\n", strtoll("+7"));
	printf("%d\n", strtoll("  42 43"));
	printf("%d\n", strtoll("\t\n8"));
	printf("%d\n", strtoll("12abc"));
	printf("%d\n", strtoll("abc"));
	printf("%d\n", strtoll(""));
	printf("%d\n", strtoll("-"));
	printf("%d\n", strtoll("ff", 16));
	printf("%d\n", strtoll("0xff", 16));
	printf("%d\n", strtoll("0XfFg", 16));
	printf("%d\n", strtoll("0x", 16));
	printf("%d\n", strtoll("1012", 2));
	printf("%d\n", strtoll("zz", 36));
	printf("%d\n", strtoll("777", 8));
	printf("%d\n", strtoll("0x10"));
	printf("%d\n", strtoll("007"));
	printf("%d\n", strtoll("-9223372036854775808"));
	printf("%d\n", strtoll("9223372036854775807"));
	exit(0);
}
