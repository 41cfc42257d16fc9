/*@
 * what:    an unassigned struct reads as zeros without being created
 */
struct point { int x; int y; };
self struct point mine;
struct point many[int], one;
BEGIN { one = many[5]; one.x++; one = self->mine; printf("%d %d %d\n", one.x, many[5].y, self->mine.x); exit(0); }
