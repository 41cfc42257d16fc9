/*@
 * what:    each clause starts with all of its scratch memory, filled with zeros
 */
BEGIN { this->p = (uint64_t *)alloca(256); this->p[31] = 77; printf("%d\n", this->p[31]); }
BEGIN { this->p = (uint64_t *)alloca(256); printf("%d\n", this->p[31]); exit(0); }
