/*@
 * what:    strings longer than strsize compare as if truncated
 */
#pragma D option strsize=4
BEGIN
{
	s = "abcdefgh";
	printf("%d %d %d %d\n", s == "abcdefgh", "abcdxyz" == s, s != "abcxefgh", s < "abce");
	printf("%d\n", execname == execname && substr(execname, 0, 4) == execname);
	exit(0);
}
