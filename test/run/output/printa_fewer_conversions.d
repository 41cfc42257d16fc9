/*@
 * what:    printa() with fewer conversions than keys prints only the keys with a conversion
 */
BEGIN { @a["x", 1, 2] = sum(50); exit(0); }
END { printa("%s\n", @a); printa("%s %d\n", @a); printa("value %@d\n", @a); }
