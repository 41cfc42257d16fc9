/*@
 * what:    setopt() of an option that cannot change during a trace prints an error line, and the clause continues
 * stderr:  exact
 */
BEGIN { setopt("bufsize", "1m"); printf("on\n"); exit(0); }
