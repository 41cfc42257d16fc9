/*@
 * what:    all functions that print a number, in order of appearance
 */
BEGIN { @c = count(); @s = sum(-5); @a = avg(-7); @m = min(-3); @x = max(-4); @d = stddev(8); exit(0); }
