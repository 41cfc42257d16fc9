/*@
 * what:    a run with option statusrate ends after exit()
 * run:     -x statusrate=10ms -qs %file%
 */
BEGIN { trace("done"); exit(0); }
