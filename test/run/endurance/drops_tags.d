/*@
 * what:    droptags: the kind in front of the message
 * run:     -x droptags -qs %file%
 * stderr:  exact
 */
BEGIN { printf("%d", speculation()); printf(" %d\n", speculation()); exit(0); }
