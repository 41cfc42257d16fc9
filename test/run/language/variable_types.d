/*@
 * what:    an undeclared variable gets the type of its assigned values, and the largest type if they differ in size
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
