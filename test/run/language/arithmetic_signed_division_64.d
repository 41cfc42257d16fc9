/*@
 * what:    signed division by constants works for values beyond 32 bits
 */
BEGIN
{
	a = 70000000001ll;
	b = 20000000000ll;
	printf("%d %d %d %d\n", a / b, -a / b, a / -b, -a / -b);
	printf("%d %d %d %d\n", a % b, -a % b, a % -b, -a % -b);
	exit(0);
}
