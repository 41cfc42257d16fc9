/*@
 * what:    raise() compiles without -w, but the trace does not start
 * status:  1
 */
BEGIN { raise(9); exit(0); }
