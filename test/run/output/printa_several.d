/*@
 * what:    printa() joins several aggregations on their keys and repeats the last value
 */
BEGIN { @a["x"] = sum(1); @b["x"] = sum(2); @a["y"] = sum(3); @c["y"] = sum(4); exit(0); }
END { printa("%s %@d %@d %@d\n", @a, @b, @c); printa("%s %@d %@d %@d\n", @a, @b); }
