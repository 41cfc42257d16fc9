/*@
 * what:    the sixth argument of llquantize() is the increment
 */
BEGIN { @ = llquantize(5, 10, 0, 2, 10, 3); @ = llquantize(50, 10, 0, 2, 10, 5); exit(0); }
