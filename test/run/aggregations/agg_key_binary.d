/*@
 * what:    an aggregation key with nonprintable characters prints as a byte dump
 * run:     -x strsize=16 -qs %file%
 */
BEGIN { @["a\001b"] = count(); exit(0); }
