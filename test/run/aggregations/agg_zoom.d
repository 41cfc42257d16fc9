/*@
 * what:    option aggzoom scales a histogram so that its longest bar fills the full width
 */
#pragma D option aggzoom
BEGIN { @ = quantize(4, 10); @ = quantize(8, 5); exit(0); }
