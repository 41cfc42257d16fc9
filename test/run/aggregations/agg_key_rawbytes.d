/*@
 * what:    rawbytes: keys of text are dumped too
 * run:     -x strsize=16 -x rawbytes -qs %file%
 */
BEGIN { @["ab"] = count(); exit(0); }
