/*@
 * what:    chill() without -w compiles and does not start
 * status:  1
 */
BEGIN { chill(1); exit(0); }
