/*@
 * what:    memory from alloca() is filled with zeros in each clause
 */
BEGIN { this->p = (uint64_t *)alloca(256); this->p[31] = 77; printf("%d\n", this->p[31]); }
BEGIN { this->p = (uint64_t *)alloca(256); printf("%d\n", this->p[31]); exit(0); }
