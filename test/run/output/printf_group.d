/*@
 * what:    the ' flag prints no digit groups in the C locale
 */
BEGIN { printf("%'d\n", 1234567); exit(0); }
