/*@
 * what:    a syntax error names the unexpected token
 * status:  1
 * env:     DTRACE_REPRODUCIBLE=
 */
BEGIN { trace(1 }
