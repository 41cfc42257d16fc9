/*@
 * what:    an undeclared int variable stores 64 bits, but printf() prints it as an int
 */
BEGIN { i = 1; i = i << 40; n = (long)i; printf("%d %x %d\n", i, n, sizeof (i)); exit(0); }
