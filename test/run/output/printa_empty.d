/*@
 * what:    printa() of an aggregation without entries prints no entry
 */
BEGIN /0/ { @a[1] = count(); }
BEGIN { exit(0); }
END { printf("<"); printa(@a); printf(">"); printa("%@d", @a); printf("\n"); }
