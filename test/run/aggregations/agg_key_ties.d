/*@
 * what:    entries with equal values print in the order of their keys, with integer keys compared as unsigned
 */
BEGIN
{
	@i[3] = count(); @i[-1] = count(); @i[1] = count(); @i[2] = count();
	@s["b"] = count(); @s["ab"] = count(); @s["a"] = count(); @s["B"] = count();
	exit(0);
}
