/*@
 * what:    the bucket width of llquantize() grows by the given factor at each magnitude
 */
BEGIN
{
	@ = llquantize(9, 10, 0, 3, 10); @ = llquantize(10, 10, 0, 3, 10);
	@ = llquantize(39, 10, 0, 3, 10); @ = llquantize(40, 10, 0, 3, 10);
	exit(0);
}
