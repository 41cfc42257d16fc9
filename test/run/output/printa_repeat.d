/*@
 * what:    printa() repeats one aggregation's value for every %@, and the last value of several
 */
BEGIN { @a[1] = sum(5); @b[1] = sum(6); exit(0); }
END { printa("%@d %@d\n", @a); printa("%@d %@d %@d\n", @a, @b); }
