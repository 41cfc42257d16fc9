/*@
 * what:    breakpoint() is refused, with the reason
 * run:     -qws %file%
 * status:  1
 */
BEGIN { breakpoint(); }
