/*@
 * what:    raise() without -w compiles and does not start
 * status:  1
 */
BEGIN { raise(9); exit(0); }
