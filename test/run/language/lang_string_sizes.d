/*@
 * what:    sizeof a string literal counts its NUL, and sizeof a string variable is option strsize
 */
#pragma D option strsize=100
string s;
BEGIN {
	s = "abc";
	printf("%d %d %d %d\n", sizeof ("abc"), sizeof (s), sizeof (string), sizeof (""));
	exit(0);
}
