/*@
 * what:    llquantize entries whose values all lie outside are sorted by the bounds: -100, a middle value, 100
 */
BEGIN { @[1] = llquantize(1000, 10, 0, 1, 10); @[2] = llquantize(-1000, 10, 0, 1, 10); @[3] = llquantize(5, 10, 0, 1, 10); }
BEGIN { printa("%d\n", @); exit(0); }
