/*@
 * what:    ++, --, += and -= work on bit-fields
 */
struct f { unsigned a:3; int b:4; } v;
BEGIN { v.a = 6; v.a++; v.b += 7; v.b++; printf("%d %d ", v.a, v.b); v.a++; printf("%d\n", v.a); exit(0); }
