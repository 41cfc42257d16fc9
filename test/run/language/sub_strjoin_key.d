/*@
 * what:    strjoin() results with equal text are the same aggregation key
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
