/*@
 * what:    option statusrate sets how soon exit() is noticed
 * run:     -x statusrate=10ms -qs %file%
 */
BEGIN { trace("done"); exit(0); }
