/*@
 * what:    heading, prefix and the matched line of a run without -q
 * run:     -s %file%
 */
BEGIN { trace(1); trace("hello"); exit(0); }
