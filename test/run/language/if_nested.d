/*@
 * what:    assignments in nested ifs persist
 */
BEGIN
{
	a = 1;
	b = 2;
	if (a) {
		if (b == 3) { c = 10; } else { c = 20; d = c + 1; }
		if (c == 20) { a = 5; }
	}
	printf("%d %d %d\n", a, c, d);
	exit(0);
}
