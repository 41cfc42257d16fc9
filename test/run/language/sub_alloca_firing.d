/*@
 * what:    memory from alloca() can be used by later clauses of the same probe hit, and each clause can allocate scratchsize bytes
 * run:     -q -x scratchsize=16 -s %file%
 */
BEGIN { this->p = (int *)alloca(8); *this->p = 7; this->q = (char *)alloca(8); this->q[0] = 'x'; }
BEGIN { this->r = (int *)alloca(16); *this->r = 9; printf("%d %c\n", *this->p, this->q[0]); }
BEGIN { printf("%d %d %c\n", *this->p, *this->r, *this->q); exit(0); }
