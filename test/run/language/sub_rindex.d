/*@
 * what:    rindex() returns the position of the last match at or before a start position, or -1
 */
BEGIN
{
	printf("%d\n", rindex("hello", "l"));
	printf("%d\n", rindex("hello", "l", 2));
	printf("%d\n", rindex("hello", "l", 1));
	printf("%d\n", rindex("hello", "hello"));
	printf("%d\n", rindex("hello", "hellos"));
	printf("%d\n", rindex("hello", "x"));
	printf("%d\n", rindex("hello", ""));
	printf("%d\n", rindex("hello", "", 2));
	printf("%d\n", rindex("hello", "l", 99));
	printf("%d\n", rindex("hello", "h", -1));
	printf("%d\n", rindex("hello", "h", 0));
	printf("%d\n", rindex("hello", "", -1));
	printf("%d\n", rindex("hello", "", 99));
	printf("%d\n", rindex("", ""));
	printf("%d\n", rindex("", "a"));
	printf("%d\n", rindex("aaaa", "aa"));
	printf("%d\n", rindex("abab", "ab", 1));
	printf("%d\n", rindex("foofoo", "foo"));
	exit(0);
}
