/*@
 * what:    a string argument for %d is an error that shows both types
 * status:  1
 * env:     DTRACE_REPRODUCIBLE=
 */
BEGIN { printf("%d\n", "text"); }
