/*@
 * what:    in the C locale, the flag ' of %'d adds no separators
 */
BEGIN { printf("%'d\n", 1234567); exit(0); }
