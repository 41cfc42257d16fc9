/*@
 * what:    a buffer too small for the largest record
 * run:     -qs %file% -b 0
 * status:  1
 * env:     DTRACE_REPRODUCIBLE=
 */
BEGIN { trace("text"); exit(0); }
