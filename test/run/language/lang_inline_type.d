/*@
 * what:    an inline's value is converted to its declared type
 */
int x; inline char c = 300; inline uint8_t u = x;
BEGIN { x = 511; printf("%d %d %d\n", c, u, sizeof (u)); exit(0); }
