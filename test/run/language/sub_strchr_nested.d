/*@
 * what:    results of strchr() can be arguments of string functions and operands of comparisons
 */
BEGIN
{
	printf("%s\n", strchr(strchr("a.b.c.d", 'b'), '.'));
	printf("%d\n", strlen(strchr("hello", 'l')));
	printf("%d\n", strchr("hello", 'l') == "llo");
	printf("%d\n", strchr("hello", 'l') < "llp");
	printf("%s\n", substr(strrchr("/usr/lib/libc.so", '/'), 1));
	printf("%s\n", strjoin(strchr("ab", 'b'), strrchr("cd", 'd')));
	exit(0);
}
