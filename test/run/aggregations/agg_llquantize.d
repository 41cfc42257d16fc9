/*@
 * what:    llquantize() prints its underflow bucket
 */
BEGIN { @ = llquantize(5, 10, 1, 3, 5); @ = llquantize(75, 10, 1, 3, 5); exit(0); }
