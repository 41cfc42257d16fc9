/*@
 * what:    a declared int stays an int, and -v suggests a wider declaration once
 * run:     -v -qs %file%
 * expect:  regex
 * stderr:  exact
 */
int small;
self int t;
BEGIN { small = timestamp; small = timestamp; self->t += timestamp; small = 5; printf("%d\n", sizeof (small)); exit(0); }
