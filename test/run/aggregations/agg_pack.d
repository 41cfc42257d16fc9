/*@
 * what:    option aggpack prints each histogram on one line, with columns for the same buckets and bars scaled to the largest count
 */
#pragma D option aggpack
BEGIN { @["a"] = quantize(4, 8); @["a"] = quantize(8, 1); @["b"] = quantize(16, 4); @["b"] = quantize(2, 2); exit(0); }
