/*@
 * what:    substr() gives the documented results for positive and negative starts and lengths
 */
BEGIN
{
	printf("[%s]\n", substr("abcdef", 2));
	printf("[%s]\n", substr("abcdef", 2, 2));
	printf("[%s]\n", substr("abcdef", -2));
	printf("[%s]\n", substr("abcdef", -10));
	printf("[%s]\n", substr("abcdef", -10, 6));
	printf("[%s]\n", substr("abcdef", 1, -2));
	printf("[%s]\n", substr("abcdef", 6));
	printf("[%s]\n", substr("abcdef", 0, 0));
	printf("[%s]\n", substr("abcdef", 0, -6));
	printf("[%s]\n", substr("abcdef", 9));
	printf("[%s]\n", substr("abcdef", 0));
	printf("[%s]\n", substr("abcdef", 0, 100));
	printf("[%s]\n", substr("abcdef", 5, 1));
	printf("[%s]\n", substr("abcdef", -10, 4));
	printf("[%s]\n", substr("abcdef", -10, 3));
	printf("[%s]\n", substr("abcdef", -6));
	printf("[%s]\n", substr("abcdef", -3, 2));
	printf("[%s]\n", substr("abcdef", -3, -1));
	printf("[%s]\n", substr("abcdef", 0, -1));
	printf("[%s]\n", substr("abcdef", 0, -7));
	printf("[%s]\n", substr("abcdef", 4, -3));
	printf("[%s]\n", substr("", 0));
	printf("[%s]\n", substr("", -1, 2));
	exit(0);
}
