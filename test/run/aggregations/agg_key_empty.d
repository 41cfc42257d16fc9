/*@
 * what:    an empty string as aggregation key is dumped because it does not count as text
 * run:     -x strsize=16 -qs %file%
 */
BEGIN { @[""] = count(); exit(0); }
