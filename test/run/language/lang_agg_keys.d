/*@
 * what:    strings, integers and structs can be keys of an aggregation
 */
struct p { int x; int y; } v;
BEGIN { v.x = 1; @["s", 1, (char)2] = count(); @p[curthread == NULL] = sum(3); exit(0); }
END { printa("%s %d %d %@d\n", @); printa("%d %@d\n", @p); }
