/*@
 * what:    llquantize() has buckets for negative values, and labels the bucket around zero with abs() and its bound
 */
BEGIN { @ = llquantize(-75, 10, 1, 3, 5); @ = llquantize(3, 10, 1, 3, 5); exit(0); }
