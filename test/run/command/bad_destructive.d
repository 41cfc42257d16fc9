/*@
 * what:    a destructive action needs -w
 * status:  1
 * env:     DTRACE_REPRODUCIBLE=
 */
BEGIN { system("true"); exit(0); }
