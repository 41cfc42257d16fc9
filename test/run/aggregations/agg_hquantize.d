/*@
 * what:    hquantize() puts zero in its own bucket, ends buckets at powers of two, and omits buckets without integers
 */
BEGIN { @ = hquantize(0, 1); @ = hquantize(1, 1); @ = hquantize(2, 1); @ = hquantize(8, 1); @ = hquantize(9, 1); exit(0); }
