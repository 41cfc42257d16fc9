/*@
 * what:    a destructive action without -w is an error
 * status:  1
 * env:     DTRACE_REPRODUCIBLE=
 */
BEGIN { system("true"); exit(0); }
