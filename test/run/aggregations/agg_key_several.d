/*@
 * what:    several keys of mixed types work together, and entries print in the order of their values
 */
BEGIN
{
	@[1, "b", 10ll] = sum(30);
	@[2, "a", 20ll] = sum(20);
	@[1, "a", 30ll] = sum(10);
	@[1, "b", 10ll] = sum(-25);
	exit(0);
}
