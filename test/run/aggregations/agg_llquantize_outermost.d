/*@
 * what:    llquantize() entries with only out-of-range values sort by the range's bounds
 */
BEGIN { @[1] = llquantize(1000, 10, 0, 1, 10); @[2] = llquantize(-1000, 10, 0, 1, 10); @[3] = llquantize(5, 10, 0, 1, 10); }
BEGIN { printa("%d\n", @); exit(0); }
