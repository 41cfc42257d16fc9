/*@
 * what:    after clear(), aggregations without further updates print the initial value of their function, such as the smallest integer for max()
 */
BEGIN { @c = count(); @s = sum(5); @a = avg(7); @m = min(3); @x = max(3); @d = stddev(9); }
BEGIN { clear(@c); clear(@s); clear(@a); clear(@m); clear(@x); clear(@d); exit(0); }
