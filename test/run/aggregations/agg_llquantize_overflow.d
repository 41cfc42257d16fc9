/*@
 * what:    llquantize() counts positive and negative values beyond the last magnitude
 */
BEGIN
{
	@a = llquantize(1000, 10, 1, 2, 10); @a = llquantize(950, 10, 1, 2, 10);
	@b = llquantize(-1000, 10, 1, 2, 10); @b = llquantize(-950, 10, 1, 2, 10);
	exit(0);
}
