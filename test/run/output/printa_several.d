/*@
 * what:    printa() of several aggregations prints a line for each key with all values, and 0 where an aggregation lacks the key
 */
BEGIN { @a["x"] = sum(1); @b["x"] = sum(2); @a["y"] = sum(3); @c["y"] = sum(4); exit(0); }
END { printa("%s %@d %@d %@d\n", @a, @b, @c); printa("%s %@d %@d %@d\n", @a, @b); }
