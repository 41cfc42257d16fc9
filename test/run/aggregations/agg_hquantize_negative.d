/*@
 * what:    hquantize() of negative values, of the least and the greatest; the increment is the third argument
 */
BEGIN { @["near"] = hquantize(-5, 0, 3); @["near"] = hquantize(4, 0); @["most"] = hquantize(0x7fffffffffffffff, 0); @["least"] = hquantize(-0x7fffffffffffffff - 1, 0); exit(0); }
