/*@
 * what:    option rawbytes makes text keys print as dumps
 * run:     -x strsize=16 -x rawbytes -qs %file%
 */
BEGIN { @["ab"] = count(); exit(0); }
