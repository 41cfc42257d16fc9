/*@
 * what:    only negative counts: bars end at the axis on the right
 */
BEGIN { @ = quantize(4, -2); exit(0); }
