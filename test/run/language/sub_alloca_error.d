/*@
 * what:    alloca() in ERROR and in the clause that raised the fault return different memory
 * run:     -q -x scratchsize=8 -s %file%
 * stderr:  exact
 */
BEGIN { this->p = (int *)alloca(8); *this->p = 3; trace(*(int *)NULL); }
BEGIN { trace(*(int *)NULL); }
BEGIN { printf("%d\n", *this->p); exit(0); }
ERROR { this->e = (int *)alloca(8); *this->e = arg4; }
ERROR { this->f = (int *)alloca(8); *this->f = 10; printf("%d %d\n", *this->e, *this->f); }
