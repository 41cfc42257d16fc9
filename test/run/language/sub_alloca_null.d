/*@
 * what:    reading or writing through a NULL pointer that held an alloca() address raises a fault
 * stderr:  exact
 */
struct pair { int a; int b; };
BEGIN { this->p = (struct pair *)alloca(8); this->p->b = 2; this->p = 0; trace(this->p->b); }
BEGIN { this->p->b = 2; }
BEGIN { exit(0); }
