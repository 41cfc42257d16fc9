/*@
 * what:    without -q, trace() prints a string completely even if it is longer than its column
 * run:     -s %file%
 */
BEGIN { trace("yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy"); exit(0); }
