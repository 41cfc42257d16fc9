/*@
 * what:    a control line of the C preprocessor
 * status:  1
 * env:     DTRACE_REPRODUCIBLE=
 */
#define X 1
BEGIN { exit(0); }
