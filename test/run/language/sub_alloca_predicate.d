/*@
 * what:    alloca() works in a predicate
 */
BEGIN /(this->p = (int *)alloca(8)) != NULL/ { *this->p = 3; printf("%d\n", *this->p); exit(0); }
