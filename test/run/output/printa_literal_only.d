/*@
 * what:    printa() prints a format without conversions once for each entry
 */
BEGIN { @[1] = count(); @[2] = count(); exit(0); }
END { printa("entry\n", @); }
