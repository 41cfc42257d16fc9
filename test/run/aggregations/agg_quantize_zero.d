/*@
 * what:    one value of 0
 */
BEGIN { @ = quantize(0); exit(0); }
