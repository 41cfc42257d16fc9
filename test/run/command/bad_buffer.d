/*@
 * what:    if the trace buffer is smaller than the largest record, the trace does not start
 * run:     -qs %file% -b 0
 * status:  1
 * env:     DTRACE_REPRODUCIBLE=
 */
BEGIN { trace("text"); exit(0); }
