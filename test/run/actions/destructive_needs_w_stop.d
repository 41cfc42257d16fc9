/*@
 * what:    stop() without -w compiles and does not start
 * status:  1
 */
BEGIN { stop(); exit(0); }
