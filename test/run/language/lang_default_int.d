/*@
 * what:    a declaration with only a storage class or attribute has type int
 */
self x; this y; unsigned u; short s;
BEGIN { self->x = -1; this->y = 2; u = -1; s = -1; printf("%d %d %u %d %d %d\n", self->x, this->y, u, s, sizeof (u), sizeof (s)); exit(0); }
