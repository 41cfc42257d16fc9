/*@
 * what:    printa() repeats the value for each further %@, and with several aggregations the value of the last one
 */
BEGIN { @a[1] = sum(5); @b[1] = sum(6); exit(0); }
END { printa("%@d %@d\n", @a); printa("%@d %@d %@d\n", @a, @b); }
