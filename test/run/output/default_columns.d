/*@
 * what:    without -q, dtrace prints the number of matched probes, the column heading, and CPU and id in front of each record
 * run:     -s %file%
 */
BEGIN { trace(1); trace("hello"); exit(0); }
