/*@
 * what:    hquantize() counts negative and extreme values, and its third argument is the increment
 */
BEGIN { @["near"] = hquantize(-5, 0, 3); @["near"] = hquantize(4, 0); @["most"] = hquantize(0x7fffffffffffffff, 0); @["least"] = hquantize(-0x7fffffffffffffff - 1, 0); exit(0); }
