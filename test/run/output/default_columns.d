/*@
 * what:    without -q, dtrace prints a matched line, the column heading, and CPU and id in front of each record
 * run:     -s %file%
 */
BEGIN { trace(1); trace("hello"); exit(0); }
