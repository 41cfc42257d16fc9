/*@
 * what:    constant expressions, which the compiler evaluates, have the results that they have in C
 */
BEGIN
{
	printf("%d %d %d %d\n", -7 / 2, -7 % 2, 7 / -2, 7 % -2);
	printf("%d %d %d\n", 1 << 4 | 3, 0xff & ~0xf, 6 ^ 3);
	printf("%d %d\n", (1 + 2) * 3 - 4, 100 / 7 % 5);
	exit(0);
}
