/*@
 * what:    chill() compiles without -w, but the trace does not start
 * status:  1
 */
BEGIN { chill(1); exit(0); }
