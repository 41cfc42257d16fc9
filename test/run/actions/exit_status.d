/*@
 * what:    exit(n) is the exit status
 * status:  3
 */
BEGIN { exit(3); }
