/*@
 * what:    averages and histograms sort by their printed values
 */
BEGIN
{
	@a["x"] = avg(10); @a["x"] = avg(20); @a["y"] = avg(12);
	exit(0);
}
