/*@
 * what:    system() without -w compiles and does not start
 * status:  1
 */
BEGIN { system("true"); exit(0); }
