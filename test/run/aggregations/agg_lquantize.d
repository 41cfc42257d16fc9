/*@
 * what:    lquantize() counts values below, inside and above its range
 */
BEGIN
{
	@ = lquantize(-5, 0, 20, 5); @ = lquantize(0, 0, 20, 5);
	@ = lquantize(19, 0, 20, 5); @ = lquantize(20, 0, 20, 5);
	exit(0);
}
