/*@
 * what:    a run without -q prints the heading, the prefix columns and the matched-probes line
 * run:     -s %file%
 */
BEGIN { trace(1); trace("hello"); exit(0); }
