/*@
 * what:    walltimestamp is the time since 1970 in nanoseconds, and each read gives a new value
 */
BEGIN
{
	this->a = walltimestamp;
	printf("%d %d\n", this->a / 1000000000 > 1700000000, this->a / 1000000000 < 4000000000);
	printf("%d\n", walltimestamp > this->a);
	exit(0);
}
