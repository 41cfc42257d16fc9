/*@
 * what:    avg() divides a negative total toward zero
 */
BEGIN
{
	@a = avg(7); @a = avg(8); @a = avg(9); @a = avg(9);
	@b = avg(-7); @b = avg(-8); @b = avg(-8);
	@c = avg(0);
	exit(0);
}
