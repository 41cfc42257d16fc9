/*@
 * what:    structs work as aggregation keys, and structs with the same bytes are the same key
 */
struct point { int x; int y; };
struct point p;
BEGIN { p.x = 1; @[p] = count(); @[p] = count(); seen[p] = 5; p.y = 2; }
BEGIN { @[p] = count(); printf("%d ", seen[p]); p.y = 0; printf("%d\n", seen[p]); exit(0); }
END { printa("%@d\n", @); }
