/*@
 * what:    an unknown variable name is an error before anything is loaded
 * status:  1
 * env:     DTRACE_REPRODUCIBLE=
 */
BEGIN { trace(nosuch); exit(0); }
