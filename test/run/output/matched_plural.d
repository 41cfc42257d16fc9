/*@
 * what:    the matched-probes line counts every match of every clause
 * run:     -s %file%
 */
BEGIN, END { trace(1); }
BEGIN { exit(0); }
