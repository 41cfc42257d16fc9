/*@
 * what:    a printf() conversion without an argument is an error
 * status:  1
 * env:     DTRACE_REPRODUCIBLE=
 */
BEGIN { printf("%d %d\n", 1); }
