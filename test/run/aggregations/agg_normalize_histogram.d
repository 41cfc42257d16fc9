/*@
 * what:    of a histogram only the printed counts are divided
 */
BEGIN { @ = quantize(4, 100); @ = quantize(8, 300); normalize(@, 100); exit(0); }
