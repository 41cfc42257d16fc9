/*@
 * what:    a keyed aggregation with too many buckets is refused with the kernel's limit
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
