/*@
 * what:    lquantize() ends at the last whole step when the step does not divide the range
 */
BEGIN { @ = lquantize(9, 0, 10, 4); @ = lquantize(7, 0, 10, 4); exit(0); }
