/*@
 * what:    llquantize() labels buckets of negative values with a minus sign and values near zero with abs() and a bound
 */
BEGIN { @ = llquantize(-75, 10, 1, 3, 5); @ = llquantize(3, 10, 1, 3, 5); exit(0); }
