/*@
 * what:    a string for %d: the message has three more lines
 * status:  1
 * env:     DTRACE_REPRODUCIBLE=
 */
BEGIN { printf("%d\n", "text"); }
