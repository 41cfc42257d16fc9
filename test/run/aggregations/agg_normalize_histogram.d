/*@
 * what:    normalize() of a histogram divides only the printed counts
 */
BEGIN { @ = quantize(4, 100); @ = quantize(8, 300); normalize(@, 100); exit(0); }
