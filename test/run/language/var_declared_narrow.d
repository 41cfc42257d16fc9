/*@
 * what:    a declared int stays one; -v names the line and the declaration to write, once
 * run:     -v -qs %file%
 * expect:  regex
 * stderr:  exact
 */
int small;
self int t;
BEGIN { small = timestamp; small = timestamp; self->t += timestamp; small = 5; printf("%d\n", sizeof (small)); exit(0); }
