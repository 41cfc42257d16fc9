/*@
 * what:    quantize() with positive and negative counts draws the axis in the middle, with 20 columns on each side
 */
BEGIN { @ = quantize(4, -3); @ = quantize(64, 2); exit(0); }
