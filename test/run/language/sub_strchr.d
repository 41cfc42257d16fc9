/*@
 * what:    strchr() returns the rest of a string from the first occurrence of a character on
 */
BEGIN
{
	printf("[%s]\n", strchr("hello", 'l'));
	printf("[%s]\n", strchr("hello", 'h'));
	printf("[%s]\n", strchr("hello", 'o'));
	printf("[%s]\n", strchr("a/b/c", '/'));
	exit(0);
}
