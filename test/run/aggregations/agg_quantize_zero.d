/*@
 * what:    quantize() of a single 0 prints the bucket 0 between two empty buckets
 */
BEGIN { @ = quantize(0); exit(0); }
