/*@
 * what:    walltimestamp counts nanoseconds since 1970 and advances within a clause
 */
BEGIN
{
	this->a = walltimestamp;
	printf("%d %d\n", this->a / 1000000000 > 1700000000, this->a / 1000000000 < 4000000000);
	printf("%d\n", walltimestamp > this->a);
	exit(0);
}
