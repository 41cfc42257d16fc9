/*@
 * what:    option droptags prints the drop reason before each drop message
 * run:     -x droptags -qs %file%
 * stderr:  exact
 */
BEGIN { printf("%d", speculation()); printf(" %d\n", speculation()); exit(0); }
