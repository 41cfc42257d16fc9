/*@
 * what:    printa() does not print keys without a conversion
 */
BEGIN { @a["x", 1, 2] = sum(50); exit(0); }
END { printa("%s\n", @a); printa("%s %d\n", @a); printa("value %@d\n", @a); }
