/*@
 * what:    normalize() divides printed values as signed numbers, and a later divisor replaces the earlier one
 */
BEGIN { @a["x"] = sum(50); @a["y"] = sum(-25); @b = avg(100); @b = avg(300); @c = quantize(1, 30); exit(0); }
END { normalize(@a, 10); normalize(@b, 20); normalize(@c, 10); printa("%s %@d\n", @a); normalize(@a, 5); printa("%s %@d\n", @a);
      denormalize(@a); printa("%s %@d\n", @a); normalize(@a, 0); printa("%s %@d\n", @a); }
