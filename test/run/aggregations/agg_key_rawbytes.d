/*@
 * what:    option rawbytes prints string keys as byte dumps
 * run:     -x strsize=16 -x rawbytes -qs %file%
 */
BEGIN { @["ab"] = count(); exit(0); }
