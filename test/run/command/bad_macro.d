/*@
 * what:    a missing macro argument is an error
 * run:     -qs %file% one
 * status:  1
 * env:     DTRACE_REPRODUCIBLE=
 */
BEGIN { trace($2); }
