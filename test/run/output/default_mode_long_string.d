/*@
 * what:    in default mode, a string longer than its column prints completely
 * run:     -s %file%
 */
BEGIN { trace("yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy"); exit(0); }
