/*@
 * what:    the exit status has eight bits
 * status:  7
 */
BEGIN { exit(256 + 7); }
