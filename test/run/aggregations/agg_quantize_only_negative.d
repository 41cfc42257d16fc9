/*@
 * what:    quantize() with only negative counts draws the axis on the right
 */
BEGIN { @ = quantize(4, -2); exit(0); }
