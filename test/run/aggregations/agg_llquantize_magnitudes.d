/*@
 * what:    llquantize() steps grow by the factor from one magnitude to the next
 */
BEGIN
{
	@ = llquantize(9, 10, 0, 3, 10); @ = llquantize(10, 10, 0, 3, 10);
	@ = llquantize(39, 10, 0, 3, 10); @ = llquantize(40, 10, 0, 3, 10);
	exit(0);
}
