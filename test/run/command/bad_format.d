/*@
 * what:    a conversion without its argument
 * status:  1
 * env:     DTRACE_REPRODUCIBLE=
 */
BEGIN { printf("%d %d\n", 1); }
