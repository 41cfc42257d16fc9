/*@
 * what:    quantize() prints the three buckets around zero if positive and negative increments cancel out
 */
BEGIN { @ = quantize(100, 5); @ = quantize(100, -5); exit(0); }
