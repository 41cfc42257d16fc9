/*@
 * what:    an invalid control line of the C preprocessor is an error
 * status:  1
 * env:     DTRACE_REPRODUCIBLE=
 */
#define X 1
BEGIN { exit(0); }
