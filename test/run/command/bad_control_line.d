/*@
 * what:    a #define line without -C is an error
 * status:  1
 * env:     DTRACE_REPRODUCIBLE=
 */
#define X 1
BEGIN { exit(0); }
