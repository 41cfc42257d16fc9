/*@
 * what:    option aggsortpos selects the aggregation whose values sort the entries of a printa() with several aggregations
 * run:     -qs %file% -x aggsortpos=1
 */
BEGIN { @a["x"] = sum(1); @a["y"] = sum(2); @b["x"] = sum(9); @b["y"] = sum(3); exit(0); }
END { printa("%s %@d %@d\n", @a, @b); }
