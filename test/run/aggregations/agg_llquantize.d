/*@
 * what:    llquantize() counts values below its lowest magnitude in a bucket labelled abs()
 */
BEGIN { @ = llquantize(5, 10, 1, 3, 5); @ = llquantize(75, 10, 1, 3, 5); exit(0); }
