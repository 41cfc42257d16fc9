/*@
 * what:    lltostr() converts numbers to strings
 */
BEGIN
{
	printf("[%s]\n", lltostr(0));
	printf("[%s]\n", lltostr(7));
	printf("[%s]\n", lltostr(-1));
	printf("[%s]\n", lltostr(1234567890123));
	printf("[%s]\n", lltostr(9223372036854775807));
	printf("[%s]\n", lltostr(-9223372036854775807 - 1));
	printf("[%s]\n", lltostr(255, 16));
	printf("[%s]\n", lltostr(-255, 16));
	printf("[%s]\n", lltostr(5, 2));
	printf("[%s]\n", lltostr(35, 36));
	printf("[%s]\n", lltostr(36, 36));
	printf("[%s]\n", lltostr(8, 8));
	printf("[%s]\n", lltostr(-9223372036854775807 - 1, 2));
	printf("[%s]\n", lltostr(0, 2));
	exit(0);
}
