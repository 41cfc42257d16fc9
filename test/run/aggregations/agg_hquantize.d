/*@
 * what:    hquantize(): zero has a bucket, powers of two end theirs, buckets without integers are left out
 */
BEGIN { @ = hquantize(0, 1); @ = hquantize(1, 1); @ = hquantize(2, 1); @ = hquantize(8, 1); @ = hquantize(9, 1); exit(0); }
