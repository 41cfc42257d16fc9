/*@
 * what:    the value of an assignment is the value stored, also for bit-fields, which truncate it
 */
char c;
struct { int b : 3; unsigned u : 4; } v;
BEGIN
{
	c = 127;
	printf("%d %d %d\n", ++c, c = 511, c += 257);
	printf("%d %d %d\n", v.b = 7, v.u += 17, v.b);
	exit(0);
}
