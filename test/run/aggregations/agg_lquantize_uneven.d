/*@
 * what:    if the step does not divide the range, lquantize() ends its range at the last whole step
 */
BEGIN { @ = lquantize(9, 0, 10, 4); @ = lquantize(7, 0, 10, 4); exit(0); }
