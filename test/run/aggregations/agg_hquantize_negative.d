/*@
 * what:    hquantize() handles negative and extreme values and takes its increment as third argument
 */
BEGIN { @["near"] = hquantize(-5, 0, 3); @["near"] = hquantize(4, 0); @["most"] = hquantize(0x7fffffffffffffff, 0); @["least"] = hquantize(-0x7fffffffffffffff - 1, 0); exit(0); }
