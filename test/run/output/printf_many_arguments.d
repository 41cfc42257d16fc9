/*@
 * what:    printf() prints twelve arguments of different sizes from one record
 */
BEGIN
{
	printf("%d %s %d %d %s %x %d %c %s %d %u %lld\n", (char)1, "two", (short)3, 4ll, "five", 6, (uint8_t)7, '8', "nine",
	    (int64_t)10, 11u, 12ll);
	exit(0);
}
