/*@
 * what:    histograms print in the order of the sum of their buckets' values times their counts
 */
BEGIN { @["big"] = quantize(1024); @["many"] = quantize(4, 3); exit(0); }
