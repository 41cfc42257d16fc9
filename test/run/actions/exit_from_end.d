/*@
 * what:    exit() in END overrides an earlier exit status
 * status:  5
 */
BEGIN { exit(1); }
END { exit(5); }
