/*@
 * what:    option aggzoom makes the longest bar fill the full width
 */
#pragma D option aggzoom
BEGIN { @ = quantize(4, 10); @ = quantize(8, 5); exit(0); }
