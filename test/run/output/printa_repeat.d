/*@
 * what:    one aggregation: every %@ prints its value; the last is repeated with several
 */
BEGIN { @a[1] = sum(5); @b[1] = sum(6); exit(0); }
END { printa("%@d %@d\n", @a); printa("%@d %@d %@d\n", @a, @b); }
