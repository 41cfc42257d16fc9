/*@
 * what:    keys without a conversion are not printed
 */
BEGIN { @a["x", 1, 2] = sum(50); exit(0); }
END { printa("%s\n", @a); printa("%s %d\n", @a); printa("value %@d\n", @a); }
