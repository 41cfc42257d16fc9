/*@
 * what:    printa() applies its format to each entry
 */
BEGIN { @a["x"] = sum(50); @a["y"] = sum(25); exit(0); }
END { normalize(@a, 10); printa("%s %@d|%@5d|%@x\n", @a); }
