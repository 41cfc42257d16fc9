/*@
 * what:    quantize() counts a value in the bucket of the largest power of two that is not larger than the value
 */
BEGIN
{
	@ = quantize(15); @ = quantize(16); @ = quantize(17); @ = quantize(31);
	@ = quantize(32); @ = quantize(1023);
	exit(0);
}
