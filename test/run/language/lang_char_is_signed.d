/*@
 * what:    plain char is signed
 */
char c; unsigned char u; signed char s;
BEGIN { c = 0xff; u = 0xff; s = 0x80; printf("%d %d %d\n", c, u, s); exit(0); }
