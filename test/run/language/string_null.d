/*@
 * what:    a self-> string that was never assigned is NULL, and an empty string is not NULL
 */
string g;
self string t;
BEGIN { printf("%d %d %d\n", self->t == NULL, g == NULL, "" == NULL); exit(0); }
