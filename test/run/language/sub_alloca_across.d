/*@
 * what:    an access across the end of alloca() memory raises an invalid-size fault
 * stderr:  exact
 */
BEGIN { this->p = (char *)alloca(8); trace(*(long *)(this->p + 4)); }
BEGIN { this->p = (char *)alloca(8); *(int *)(this->p + 6) = 1; }
BEGIN { exit(0); }
