/*@
 * what:    signed division truncates toward zero
 */
BEGIN
{
	a = 7;
	b = 2;
	printf("%d %d %d %d\n", a / b, -a / b, a / -b, -a / -b);
	printf("%d %d %d %d\n", a % b, -a % b, a % -b, -a % -b);
	exit(0);
}
