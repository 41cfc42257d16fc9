/*@
 * what:    quantize() rounds the length of a bar to the nearest column
 */
BEGIN { @ = quantize(1, 79); @ = quantize(2, 1); @ = quantize(4, 2); exit(0); }
