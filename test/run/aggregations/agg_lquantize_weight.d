/*@
 * what:    lquantize: the increment is the fifth argument, and may be negative
 */
BEGIN { @ = lquantize(3, 0, 10, 2, 7); @ = lquantize(8, 0, 10, 2, -7); exit(0); }
