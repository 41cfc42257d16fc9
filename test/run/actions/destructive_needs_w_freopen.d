/*@
 * what:    freopen() without -w compiles and does not start
 * status:  1
 */
BEGIN { freopen("/dev/null"); exit(0); }
