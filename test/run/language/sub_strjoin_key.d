/*@
 * what:    joined strings are keys: equal text is one key, whatever it was made of
 */
BEGIN
{
	@[strjoin("a", "bcd")] = count();
	@[strjoin("ab", "cd")] = count();
	@[strjoin(strjoin("a", "b"), strjoin("c", "d"))] = count();
	seen[strjoin("k", "ey")] = 1;
	printf("%d %d\n", seen["key"], seen[substr("monkeys", 3, 3)]);
	exit(0);
}
