/*@
 * what:    exit() keeps only the low eight bits of the status
 * status:  7
 */
BEGIN { exit(256 + 7); }
