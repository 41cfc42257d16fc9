/*@
 * what:    a comparison with a literal longer than strsize uses only its first strsize characters
 */
#pragma D option strsize=4
BEGIN
{
	s = "abcdefgh";
	printf("%d %d %d %d\n", s == "abcdefgh", "abcdxyz" == s, s != "abcxefgh", s < "abce");
	printf("%d\n", execname == execname && substr(execname, 0, 4) == execname);
	exit(0);
}
