/*@
 * what:    printa() without a format prints an empty line and then the entries in the default form
 */
BEGIN { @k["abc", 1] = sum(10); @k["de", 2] = sum(3); @j["de", 2] = count(); exit(0); }
END { printa(@k); printa(@k, @j); }
