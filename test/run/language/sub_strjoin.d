/*@
 * what:    strjoin() concatenates two strings
 */
BEGIN
{
	printf("[%s]\n", strjoin("foo", "bar"));
	printf("[%s]\n", strjoin("", "bar"));
	printf("[%s]\n", strjoin("foo", ""));
	printf("[%s]\n", strjoin("", ""));
	printf("[%s]\n", strjoin(strjoin("a", "b"), strjoin("c", "d")));
	printf("[%s]\n", strjoin("x", lltostr(1 + 1)));
	exit(0);
}
