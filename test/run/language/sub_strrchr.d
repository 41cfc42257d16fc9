/*@
 * what:    strrchr() returns the rest of a string from the last occurrence of a character on
 */
BEGIN
{
	printf("[%s]\n", strrchr("hello", 'l'));
	printf("[%s]\n", strrchr("hello", 'h'));
	printf("[%s]\n", strrchr("hello", 'o'));
	printf("[%s]\n", strrchr("a/b/c", '/'));
	exit(0);
}
