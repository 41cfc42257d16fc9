/*@
 * what:    print() of a pointer to a number shows the number together with its type
 */
BEGIN { this->p = (int *)alloca(4); *this->p = -7; print(this->p); exit(0); }
