/*@
 * what:    lquantize() has steps of 1 without a step argument, and multiplies counts by its increment
 */
BEGIN
{
	@a = lquantize(3, 1, 5);
	@b = lquantize(-7, -10, 10, 5, 3); @b = lquantize(7, -10, 10, 5, 1);
	exit(0);
}
