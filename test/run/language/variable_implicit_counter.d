/*@
 * what:    an undeclared variable whose first use is ++ is a 64-bit integer
 */
BEGIN { n++; printf("%d %d\n", n, sizeof (n)); exit(0); }
