/*@
 * what:    option rawbytes prints a traced string as a dump of strsize bytes and a NUL
 * run:     -x strsize=16 -x rawbytes -qs %file%
 */
BEGIN { s = "ab"; trace(s); trace(probename); exit(0); }
