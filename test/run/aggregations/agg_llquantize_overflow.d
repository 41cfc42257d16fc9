/*@
 * what:    llquantize() counts values beyond its highest magnitude in separate buckets for positive and negative values
 */
BEGIN
{
	@a = llquantize(1000, 10, 1, 2, 10); @a = llquantize(950, 10, 1, 2, 10);
	@b = llquantize(-1000, 10, 1, 2, 10); @b = llquantize(-950, 10, 1, 2, 10);
	exit(0);
}
