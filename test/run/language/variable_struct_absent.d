/*@
 * what:    a struct variable or element that was never assigned reads as zeros
 */
struct point { int x; int y; };
self struct point mine;
struct point many[int], one;
BEGIN { one = many[5]; one.x++; one = self->mine; printf("%d %d %d\n", one.x, many[5].y, self->mine.x); exit(0); }
