/*@
 * what:    lquantize() whose increments are all 0 prints its first three buckets
 */
BEGIN { @ = lquantize(3, 0, 10, 2, 0); exit(0); }
