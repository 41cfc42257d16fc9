/*@
 * what:    a format without conversions prints once an entry
 */
BEGIN { @[1] = count(); @[2] = count(); exit(0); }
END { printa("entry\n", @); }
