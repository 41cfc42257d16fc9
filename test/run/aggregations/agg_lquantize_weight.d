/*@
 * what:    the fifth argument of lquantize() is the increment, which may be negative
 */
BEGIN { @ = lquantize(3, 0, 10, 2, 7); @ = lquantize(8, 0, 10, 2, -7); exit(0); }
