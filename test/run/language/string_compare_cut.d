/*@
 * what:    texts longer than strsize are compared as if they were cut to it
 */
#pragma D option strsize=4
BEGIN
{
	s = "abcdefgh";
	printf("%d %d %d %d\n", s == "abcdefgh", "abcdxyz" == s, s != "abcxefgh", s < "abce");
	printf("%d\n", execname == execname && substr(execname, 0, 4) == execname);
	exit(0);
}
