/*@
 * what:    an undeclared integer variable has the size of the largest type assigned to it in any clause
 */
BEGIN { x = 0; self->t = 0; this->k = 0; a["k"] = 0; i = 0; y = x; printf("%d %d\n", sizeof (x), sizeof (i)); }
BEGIN { x = 6000000000ULL; self->t = x; this->k = x; a["k"] = x; i++; y = x; }
BEGIN { printf("%d %d %d %d %d %d\n", x, self->t, this->k, a["k"], i, y); }
BEGIN { printf("%d %d %d %d\n", sizeof (self->t), sizeof (this->k), sizeof (a["k"]), sizeof (y)); exit(0); }
