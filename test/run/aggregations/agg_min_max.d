/*@
 * what:    min() and max() compare values as signed
 */
BEGIN
{
	@lo = min(5); @lo = min(-3); @lo = min(7);
	@hi = max(5); @hi = max(-3); @hi = max(7);
	@neg = max(-10); @neg = max(-2);
	@pos = min(10); @pos = min(2);
	exit(0);
}
