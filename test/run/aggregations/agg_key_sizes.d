/*@
 * what:    an integer key is padded to the column width of its type
 */
BEGIN { @[(char)1, (short)2, 3, 4ll] = count(); exit(0); }
