/*@
 * what:    passing a string to %d is an error, whose message shows the expected and the actual type
 * status:  1
 * env:     DTRACE_REPRODUCIBLE=
 */
BEGIN { printf("%d\n", "text"); }
