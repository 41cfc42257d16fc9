/*@
 * what:    after clear() without updates, each aggregating function prints its initial value
 */
BEGIN { @c = count(); @s = sum(5); @a = avg(7); @m = min(3); @x = max(3); @d = stddev(9); }
BEGIN { clear(@c); clear(@s); clear(@a); clear(@m); clear(@x); clear(@d); exit(0); }
