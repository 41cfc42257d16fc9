/*@
 * what:    an unknown variable name is a compile-time error
 * status:  1
 * env:     DTRACE_REPRODUCIBLE=
 */
BEGIN { trace(nosuch); exit(0); }
