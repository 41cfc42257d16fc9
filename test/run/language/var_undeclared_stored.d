/*@
 * what:    an undeclared int keeps 64 bits; what is recorded of it is an int
 */
BEGIN { i = 1; i = i << 40; n = (long)i; printf("%d %x %d\n", i, n, sizeof (i)); exit(0); }
