/*@
 * what:    increments of both signs: the axis is in the middle, each half 20 columns
 */
BEGIN { @ = quantize(4, -3); @ = quantize(64, 2); exit(0); }
