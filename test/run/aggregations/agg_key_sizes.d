/*@
 * what:    integer keys print in the column width of their type
 */
BEGIN { @[(char)1, (short)2, 3, 4ll] = count(); exit(0); }
