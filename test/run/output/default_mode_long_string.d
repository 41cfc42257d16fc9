/*@
 * what:    default mode: a string longer than its column is not cut
 * run:     -s %file%
 */
BEGIN { trace("yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy"); exit(0); }
