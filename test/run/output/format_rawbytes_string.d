/*@
 * what:    rawbytes: a traced string is strsize bytes and a NUL, however it is stored
 * run:     -x strsize=16 -x rawbytes -qs %file%
 */
BEGIN { s = "ab"; trace(s); trace(probename); exit(0); }
