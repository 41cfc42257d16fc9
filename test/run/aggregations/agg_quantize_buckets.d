/*@
 * what:    quantize() puts a value into the bucket of the largest power of two not above it
 */
BEGIN
{
	@ = quantize(15); @ = quantize(16); @ = quantize(17); @ = quantize(31);
	@ = quantize(32); @ = quantize(1023);
	exit(0);
}
