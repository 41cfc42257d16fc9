/*@
 * what:    a program with breakpoint() is refused, and the error gives the reason
 * run:     -qws %file%
 * env:     DTRACE_REPRODUCIBLE=
 * status:  1
 * stderr:  exact
 */
BEGIN { breakpoint(); }
