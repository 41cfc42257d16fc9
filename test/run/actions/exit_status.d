/*@
 * what:    exit(n) sets the exit status of dtrace to n
 * status:  3
 */
BEGIN { exit(3); }
