/*@
 * what:    no grouping in the C locale
 */
BEGIN { printf("%'d\n", 1234567); exit(0); }
