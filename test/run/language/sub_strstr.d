/*@
 * what:    strstr() returns the rest of a string from the first occurrence of another string on
 */
BEGIN
{
	printf("[%s]\n", strstr("hello", "ll"));
	printf("[%s]\n", strstr("hello", ""));
	printf("[%s]\n", strstr("hello", "hello"));
	printf("[%s]\n", strstr("hello", "o"));
	printf("[%s]\n", strstr("aaab", "aab"));
	printf("[%s]\n", strstr("", ""));
	exit(0);
}
