/*@
 * what:    lquantize() prints its first three buckets if all its increments are 0
 */
BEGIN { @ = lquantize(3, 0, 10, 2, 0); exit(0); }
