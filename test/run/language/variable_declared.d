/*@
 * what:    a variable declaration sets the type, and the initial value is 0
 */
int8_t a;
uint64_t b, c;
self uint16_t d;
this int e;
BEGIN
{
	a = -1; b = -1; c++; self->d = 65537; this->e = a;
	printf("%d %d %d %d %d\n", a, b, c, self->d, this->e);
	exit(0);
}
