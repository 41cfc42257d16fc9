/*@
 * what:    a trace buffer too small for the largest record is refused
 * run:     -qs %file% -b 0
 * status:  1
 * env:     DTRACE_REPRODUCIBLE=
 */
BEGIN { trace("text"); exit(0); }
