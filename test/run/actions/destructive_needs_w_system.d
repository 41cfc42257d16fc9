/*@
 * what:    system() compiles without -w, but the trace does not start
 * status:  1
 */
BEGIN { system("true"); exit(0); }
