/*@
 * what:    a forward-declared tag can be used for pointers
 */
struct later; struct later *p;
struct later { int x; };
BEGIN { p = (struct later *)alloca(4); p->x = 3; printf("%d\n", p->x); exit(0); }
