/*@
 * what:    strjoin() truncates its result to strsize characters
 */
#pragma D option strsize=8
BEGIN
{
	printf("[%s]\n", strjoin("abcdef", "ghijkl"));
	printf("[%s]\n", strjoin("abcdefgh", "ijkl"));
	printf("[%s]\n", strjoin("abcd", "efgh"));
	s = strjoin("abcdef", "ghijkl");
	printf("[%s]\n", s);
	printf("%d\n", strlen(strjoin("abcdef", "ghijkl")));
	exit(0);
}
