/*@
 * what:    a self-> variable keeps its value in later clauses until it is assigned 0
 */
BEGIN { self->a = 5; self->s = "text"; }
BEGIN { printf("%d %s\n", self->a, self->s); self->a = 0; }
BEGIN { printf("%d\n", self->a); exit(0); }
