/*@
 * what:    hquantize() puts zero into its own bucket, splits the range between powers of two, and omits buckets that contain no integer
 */
BEGIN { @ = hquantize(0, 1); @ = hquantize(1, 1); @ = hquantize(2, 1); @ = hquantize(8, 1); @ = hquantize(9, 1); exit(0); }
