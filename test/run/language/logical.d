/*@
 * what:    logical operators return 0 or 1
 */
BEGIN
{
	a = 5;
	z = 0;
	printf("%d%d%d%d\n", a && a, a && z, z && a, z && z);
	printf("%d%d%d%d\n", a || a, a || z, z || a, z || z);
	printf("%d%d%d%d\n", a ^^ a, a ^^ z, z ^^ a, z ^^ z);
	printf("%d%d%d\n", !a, !z, !!a);
	exit(0);
}
