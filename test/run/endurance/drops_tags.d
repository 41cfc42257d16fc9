/*@
 * what:    option droptags prints a tag in brackets in front of each drop message
 * run:     -x droptags -qs %file%
 * stderr:  exact
 */
BEGIN { printf("%d", speculation()); printf(" %d\n", speculation()); exit(0); }
