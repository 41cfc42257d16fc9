/*@
 * what:    panic() is refused, with the reason
 * run:     -qws %file%
 * status:  1
 */
BEGIN { panic(); }
