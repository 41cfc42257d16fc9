/*@
 * what:    an access outside memory from alloca() raises a fault
 * stderr:  contains
 */
int i;
BEGIN { this->p = (int *)alloca(8); i = -1; trace(this->p[i]); }
BEGIN { this->p = (int *)alloca(8); this->p[1] = 1; i = 2; trace(this->p[i]); }
BEGIN { this->p = (int *)alloca(8); i = 1000000; this->p[i] = 1; }
BEGIN { this->p = (int *)alloca(0); trace(*this->p); }
ERROR { printf("%d\n", arg4); }
BEGIN { exit(0); }
