/*@
 * what:    increments that cancel leave an empty histogram
 */
BEGIN { @ = quantize(5, 1); @ = quantize(5, -1); exit(0); }
