/*@
 * what:    a macro argument that was not given
 * run:     -qs %file% one
 * status:  1
 * env:     DTRACE_REPRODUCIBLE=
 */
BEGIN { trace($2); }
