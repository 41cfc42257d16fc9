/*@
 * what:    quantize() whose increments cancel out prints the three buckets around zero
 */
BEGIN { @ = quantize(100, 5); @ = quantize(100, -5); exit(0); }
