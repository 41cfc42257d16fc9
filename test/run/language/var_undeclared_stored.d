/*@
 * what:    an undeclared int stores 64 bits, and its recorded value is an int
 */
BEGIN { i = 1; i = i << 40; n = (long)i; printf("%d %x %d\n", i, n, sizeof (i)); exit(0); }
