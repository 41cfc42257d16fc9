/*@
 * what:    setopt() that fails: an error line and an empty one
 * stderr:  exact
 */
BEGIN { setopt("bufsize", "1m"); printf("on\n"); exit(0); }
