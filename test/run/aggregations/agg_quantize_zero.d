/*@
 * what:    quantize() of a single 0 prints its histogram
 */
BEGIN { @ = quantize(0); exit(0); }
