/*@
 * what:    an aggregation key with nonprintable characters is dumped
 * run:     -x strsize=16 -qs %file%
 */
BEGIN { @["a\001b"] = count(); exit(0); }
