/*@
 * what:    a program with panic() is refused, and the error gives the reason
 * run:     -qws %file%
 * env:     DTRACE_REPRODUCIBLE=
 * status:  1
 * stderr:  exact
 */
BEGIN { panic(); }
