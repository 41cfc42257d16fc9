/*@
 * what:    quantize() counts positive and negative values
 */
BEGIN
{
	@ = quantize(-9); @ = quantize(-1); @ = quantize(0); @ = quantize(1);
	@ = quantize(2); @ = quantize(5, 10);
	exit(0);
}
