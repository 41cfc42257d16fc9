/*@
 * what:    histograms sort by the weighted sum of their counts
 */
BEGIN { @["big"] = quantize(1024); @["many"] = quantize(4, 3); exit(0); }
