/*@
 * what:    trunc() removes all entries, or keeps the highest or lowest ones
 */
BEGIN
{
	@all["x"] = sum(1); @none = count();
	@hi["a"] = sum(5); @hi["b"] = sum(3); @hi["c"] = sum(9); @hi["d"] = sum(1);
	@lo["a"] = sum(5); @lo["b"] = sum(3); @lo["c"] = sum(9); @lo["d"] = sum(1);
	exit(0);
}
END { trunc(@all); trunc(@none); trunc(@hi, 2); trunc(@lo, -2); }
