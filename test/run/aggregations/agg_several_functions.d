/*@
 * what:    aggregations with numeric functions print in the order of their first use in the program
 */
BEGIN { @c = count(); @s = sum(-5); @a = avg(-7); @m = min(-3); @x = max(-4); @d = stddev(8); exit(0); }
