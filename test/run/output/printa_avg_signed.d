/*@
 * what:    printa() prints the values of avg() and stddev() as signed numbers
 */
BEGIN { @a["x"] = avg(-9); @a["x"] = avg(0); @s["x"] = stddev(4); @s["x"] = stddev(8); exit(0); }
END { printa("%s %@d\n", @a); printa("%s %@d\n", @s); }
