/*@
 * what:    substr(s, 0, n) == LITERAL is true only if the first n characters of s equal the literal, for literals of every length, execname and NULL
 * run:     -qs %file%
 * expect:  exact
 */
string s, two;
BEGIN
{
	s = "abcdef";
	two = "ab";
	printf("%d %d %d\n", substr(s, 0, 3) == "abc", substr(s, 0, 3) == "abd", substr(s, 0, 3) == "ab");
	printf("%d %d %d\n", substr(s, 0, 9) == "abcdef", substr(s, 0, 6) != "abcdef", "a" == substr(s, 0, 1));
	printf("%d %d %d\n", substr(two, 0, 3) == "abc", substr(two, 0, 3) == "ab", substr(two, 0, 1) != "b");
	printf("%d %d %d\n", substr(execname, 0, 3) == "dtr", substr(execname, 0, 4) == "dtrb", substr(execname, 0, 15) == "dtrace");
	printf("%d %d\n", substr(stringof(curthread->comm), 0, 3) == "dtr", substr(stringof(curthread->comm), 0, 7) == "dtrace");
}
BEGIN /substr(strchr(s, 'z'), 0, 2) == "ab"/ { printf("not reached\n"); }
ERROR { printf("fault %d\n", arg4); exit(0); }
