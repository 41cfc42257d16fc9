/*@
 * what:    a failing setopt() prints an error line and an empty line
 * stderr:  exact
 */
BEGIN { setopt("bufsize", "1m"); printf("on\n"); exit(0); }
