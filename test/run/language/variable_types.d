/*@
 * what:    an undeclared variable has the type of its assigned value, or the widest integer type
 */
BEGIN
{
	a = (char)1;
	b = 2;
	c = 3ll;
	d = "four";
	e = 5u;
	printf("%d %d %d %d %d\n", sizeof (a), sizeof (b), sizeof (c), sizeof (d), sizeof (e));
	a = 0x1ff;
	printf("%d\n", a);
	exit(0);
}
