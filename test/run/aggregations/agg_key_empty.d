/*@
 * what:    an empty string as aggregation key prints as a byte dump
 * run:     -x strsize=16 -qs %file%
 */
BEGIN { @[""] = count(); exit(0); }
