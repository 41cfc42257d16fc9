/*@
 * what:    an absent string is NULL, and an empty string is not
 */
string g;
self string t;
BEGIN { printf("%d %d %d\n", self->t == NULL, g == NULL, "" == NULL); exit(0); }
