/*@
 * what:    quantize() prints three empty buckets if positive and negative increments cancel out
 */
BEGIN { @ = quantize(5, 1); @ = quantize(5, -1); exit(0); }
