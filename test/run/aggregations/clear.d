/*@
 * what:    clear() keeps the keys and resets their values
 */
BEGIN
{
	@c["x"] = count(); @s = sum(5); @lo = min(5); @hi = max(5); @a = avg(5);
	clear(@c); clear(@s); clear(@lo); clear(@hi); clear(@a);
	exit(0);
}
