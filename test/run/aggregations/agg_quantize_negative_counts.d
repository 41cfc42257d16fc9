/*@
 * what:    quantize() draws bars of negative counts to the left of the axis
 */
BEGIN { @a = quantize(5, -2); @b = quantize(100, 2); @b = quantize(7, -3); exit(0); }
