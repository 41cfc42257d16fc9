/*@
 * what:    strjoin() builds strings of 4096 characters
 */
#pragma D option strsize=4096
BEGIN
{
	s = "0123456789abcdef";
	s = strjoin(s, s);
	s = strjoin(s, s);
	s = strjoin(s, s);
	s = strjoin(s, s);
	s = strjoin(s, s);
	s = strjoin(s, s);
	s = strjoin(s, s);
	s = strjoin(s, s);
	printf("%d\n", strlen(s));
	s = strjoin(s, "x");
	printf("%d %d %d\n", strlen(s), index(s, "f01", 4000), rindex(s, "f"));
	exit(0);
}
