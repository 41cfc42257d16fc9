/*@
 * what:    aggzoom: the longest bar fills the width
 */
#pragma D option aggzoom
BEGIN { @ = quantize(4, 10); @ = quantize(8, 5); exit(0); }
