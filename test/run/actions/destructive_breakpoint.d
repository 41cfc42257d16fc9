/*@
 * what:    breakpoint() is refused with a reason
 * run:     -qws %file%
 * env:     DTRACE_REPRODUCIBLE=
 * status:  1
 * stderr:  exact
 */
BEGIN { breakpoint(); }
