/*@
 * what:    lquantize() labels its buckets by their lower bounds, below zero too
 */
BEGIN { @ = lquantize(-7, -10, 0, 5); @ = lquantize(-5, -10, 0, 5); @ = lquantize(-11, -10, 0, 5); exit(0); }
