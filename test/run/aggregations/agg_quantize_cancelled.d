/*@
 * what:    quantize() prints the three buckets around zero when its increments cancel out
 */
BEGIN { @ = quantize(100, 5); @ = quantize(100, -5); exit(0); }
