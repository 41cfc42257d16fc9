/*@
 * what:    index() returns the position of the first match at or after a start position, or -1
 */
BEGIN
{
	printf("%d\n", index("hello", "l"));
	printf("%d\n", index("hello", "lo"));
	printf("%d\n", index("hello", "hello"));
	printf("%d\n", index("hello", "hellos"));
	printf("%d\n", index("hello", "x"));
	printf("%d\n", index("hello", ""));
	printf("%d\n", index("hello", "", 5));
	printf("%d\n", index("hello", "", 9));
	printf("%d\n", index("hello", "l", 3));
	printf("%d\n", index("hello", "l", 4));
	printf("%d\n", index("hello", "l", -7));
	printf("%d\n", index("", ""));
	printf("%d\n", index("", "a"));
	printf("%d\n", index("aaab", "aab"));
	printf("%d\n", index("hello", "o", 4));
	printf("%d\n", index("hello", "o", 5));
	printf("%d\n", index("hello", "L"));
	exit(0);
}
