/*@
 * what:    an aggregation with keys and more buckets than one kernel map entry can hold is a compile-time error that names the limit
 * run:     -s %file%
 * status:  1
 * env:     DTRACE_REPRODUCIBLE=
 */
BEGIN
{
	@fits[pid] = lquantize(1, 0, 4093);
	@large = lquantize(1, 0, 10000);
	@beyond[pid] = lquantize(1, 0, 4094);
}
