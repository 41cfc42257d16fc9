/*@
 * what:    the step of lquantize() defaults to 1, and increments multiply counts
 */
BEGIN
{
	@a = lquantize(3, 1, 5);
	@b = lquantize(-7, -10, 10, 5, 3); @b = lquantize(7, -10, 10, 5, 1);
	exit(0);
}
