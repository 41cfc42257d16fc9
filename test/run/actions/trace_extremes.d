/*@
 * what:    trace() prints the smallest and largest values of every integer width
 * run:     -x cpu=0 -s %file%
 * env:     DTRACE_REPRODUCIBLE=
 */
BEGIN
{
	trace((int8_t)-128);
	trace((int16_t)-32768);
	trace((int32_t)-2147483648);
	trace((int64_t)0x8000000000000000);
	trace((uint8_t)255);
	trace((uint16_t)65535);
	trace((uint32_t)4294967295);
	trace((uint64_t)0xffffffffffffffff);
	exit(0);
}
