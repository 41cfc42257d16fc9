/*@
 * what:    an access that crosses the end is of invalid size
 * stderr:  exact
 */
BEGIN { this->p = (char *)alloca(8); trace(*(long *)(this->p + 4)); }
BEGIN { this->p = (char *)alloca(8); *(int *)(this->p + 6) = 1; }
BEGIN { exit(0); }
