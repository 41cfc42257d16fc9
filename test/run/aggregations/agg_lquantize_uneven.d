/*@
 * what:    a range that the step does not divide ends at the last whole level
 */
BEGIN { @ = lquantize(9, 0, 10, 4); @ = lquantize(7, 0, 10, 4); exit(0); }
