/*@
 * what:    several errors are all reported, in order
 * env:     DTRACE_REPRODUCIBLE=
 * status:  1
 */
BEGIN { trace(first); }
BEGIN { trace(second); }
BEGIN { exit("text"); }
