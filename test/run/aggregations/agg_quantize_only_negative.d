/*@
 * what:    quantize() draws the axis on the right if all its counts are negative
 */
BEGIN { @ = quantize(4, -2); exit(0); }
