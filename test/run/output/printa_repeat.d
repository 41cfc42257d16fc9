/*@
 * what:    each %@ in a printa() format prints the value of the next aggregation, and the last value again if there are no more
 */
BEGIN { @a[1] = sum(5); @b[1] = sum(6); exit(0); }
END { printa("%@d %@d\n", @a); printa("%@d %@d %@d\n", @a, @b); }
