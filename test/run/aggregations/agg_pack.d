/*@
 * what:    aggpack: one line an entry, columns shared, each column by its share of the largest
 */
#pragma D option aggpack
BEGIN { @["a"] = quantize(4, 8); @["a"] = quantize(8, 1); @["b"] = quantize(16, 4); @["b"] = quantize(2, 2); exit(0); }
