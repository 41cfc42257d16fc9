/*@
 * what:    exit() is noticed at the next status check: soon, when statusrate says so
 * run:     -x statusrate=10ms -qs %file%
 */
BEGIN { trace("done"); exit(0); }
