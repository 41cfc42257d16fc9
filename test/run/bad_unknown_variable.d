/*@
 * what:    an unknown name is an error before anything is loaded
 * status:  1
 */
BEGIN { trace(nosuch); exit(0); }
