/*@
 * what:    strings can be compared with strsize=65536
 */
#pragma D option strsize=65536
BEGIN
{
	s = "abcdefgh";
	t = strjoin(s, "i");
	printf("%d %d %d\n", s == t, s < t, strjoin(s, "i") == t);
	exit(0);
}
