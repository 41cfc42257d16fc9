/*@
 * what:    lquantize() takes its increment as fifth argument, which may be negative
 */
BEGIN { @ = lquantize(3, 0, 10, 2, 7); @ = lquantize(8, 0, 10, 2, -7); exit(0); }
