/*@
 * what:    option rawbytes prints a traced string as strsize bytes and a NUL, for literals and variables
 * run:     -x strsize=16 -x rawbytes -qs %file%
 */
BEGIN { s = "ab"; trace(s); trace(probename); exit(0); }
