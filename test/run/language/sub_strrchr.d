/*@
 * what:    the tail of a string from the last character that is c
 */
BEGIN
{
	printf("[%s]\n", strrchr("hello", 'l'));
	printf("[%s]\n", strrchr("hello", 'h'));
	printf("[%s]\n", strrchr("hello", 'o'));
	printf("[%s]\n", strrchr("a/b/c", '/'));
	exit(0);
}
