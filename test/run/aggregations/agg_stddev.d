/*@
 * what:    stddev() prints the standard deviation as an integer, also for values in the trillions
 */
BEGIN
{
	@a = stddev(2); @a = stddev(4); @a = stddev(4); @a = stddev(4);
	@a = stddev(5); @a = stddev(5); @a = stddev(7); @a = stddev(9);
	@b = stddev(-5); @b = stddev(5);
	@c = stddev(3000000000000); @c = stddev(1000000000000);
	@d = stddev(42);
	exit(0);
}
