/*@
 * what:    ++ on an 8-bit variable wraps around
 */
uint8_t c;
int8_t d;
BEGIN { c = 255; c++; d = 127; d++; printf("%d %d\n", c, d); exit(0); }
