/*@
 * what:    avg() entries print in the order of their averages
 */
BEGIN
{
	@a["x"] = avg(10); @a["x"] = avg(20); @a["y"] = avg(12);
	exit(0);
}
