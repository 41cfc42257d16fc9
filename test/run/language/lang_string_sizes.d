/*@
 * what:    sizeof of strings: a literal with its NUL, a variable as strsize says
 */
#pragma D option strsize=100
string s;
BEGIN {
	s = "abc";
	printf("%d %d %d %d\n", sizeof ("abc"), sizeof (s), sizeof (string), sizeof (""));
	exit(0);
}
