/*@
 * what:    lquantize below zero: labels are low bounds
 */
BEGIN { @ = lquantize(-7, -10, 0, 5); @ = lquantize(-5, -10, 0, 5); @ = lquantize(-11, -10, 0, 5); exit(0); }
