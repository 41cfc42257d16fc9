/*@
 * what:    exit() in END decides last
 * status:  5
 */
BEGIN { exit(1); }
END { exit(5); }
