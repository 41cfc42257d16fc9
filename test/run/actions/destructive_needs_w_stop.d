/*@
 * what:    stop() compiles without -w, but the trace does not start
 * status:  1
 */
BEGIN { stop(); exit(0); }
