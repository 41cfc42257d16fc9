/*@
 * what:    strlen() returns the number of characters before the NUL
 */
BEGIN
{
	printf("%d\n", strlen(""));
	printf("%d\n", strlen("a"));
	printf("%d\n", strlen("hello"));
	printf("%d\n", strlen(strjoin("abc", "def")));
	printf("%d\n", strlen(substr("abcdef", 4)));
	exit(0);
}
