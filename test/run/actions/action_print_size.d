/*@
 * what:    option printsize limits how much of an object print() shows
 * run:     -x printsize=16 -qs %file%
 */
struct row { long a[8]; };
BEGIN { this->r = (struct row *)alloca(sizeof(struct row)); this->r->a[0] = 1; this->r->a[1] = 2; this->r->a[2] = 3; print(this->r); exit(0); }
