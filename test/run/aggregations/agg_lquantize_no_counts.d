/*@
 * what:    lquantize() prints its first three buckets if all increments were 0
 */
BEGIN { @ = lquantize(3, 0, 10, 2, 0); exit(0); }
