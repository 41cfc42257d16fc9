/*@
 * what:    self-> variables can be associative arrays
 */
self int m[string];
BEGIN { self->m["a"] = 3; self->n[1, 2]++; printf("%d %d %d\n", self->m["a"], self->m["b"], self->n[1, 2]); exit(0); }
