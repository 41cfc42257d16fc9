/*@
 * what:    a variable declared as int stays an int, and -v warns once that a 64-bit value loses bits
 * run:     -v -qs %file%
 * expect:  regex
 * stderr:  exact
 */
int small;
self int t;
BEGIN { small = timestamp; small = timestamp; self->t += timestamp; small = 5; printf("%d\n", sizeof (small)); exit(0); }
