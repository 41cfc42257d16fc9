/*@
 * what:    llquantize() entries print in the order of their values; a value outside the range sorts like the range's bound
 */
BEGIN { @[1] = llquantize(1000, 10, 0, 1, 10); @[2] = llquantize(-1000, 10, 0, 1, 10); @[3] = llquantize(5, 10, 0, 1, 10); }
BEGIN { printa("%d\n", @); exit(0); }
