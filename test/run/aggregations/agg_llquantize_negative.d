/*@
 * what:    llquantize of negative values: labels with a minus, the middle is abs() < of the low magnitude
 */
BEGIN { @ = llquantize(-75, 10, 1, 3, 5); @ = llquantize(3, 10, 1, 3, 5); exit(0); }
