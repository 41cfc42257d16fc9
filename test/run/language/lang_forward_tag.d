/*@
 * what:    a tag that is only declared may stand behind a pointer
 */
struct later; struct later *p;
struct later { int x; };
BEGIN { p = (struct later *)alloca(4); p->x = 3; printf("%d\n", p->x); exit(0); }
