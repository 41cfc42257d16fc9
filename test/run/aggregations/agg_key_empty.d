/*@
 * what:    an empty string does not count as text: its whole record is dumped
 * run:     -x strsize=16 -qs %file%
 */
BEGIN { @[""] = count(); exit(0); }
