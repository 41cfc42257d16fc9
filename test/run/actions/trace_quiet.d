/*@
 * what:    trace() in quiet mode prints bare values without a newline
 * env:     DTRACE_REPRODUCIBLE=
 */
BEGIN
{
	trace((int8_t)-3);
	trace(" ");
	trace((uint8_t)200);
	trace(" ");
	trace((short)-4);
	trace(" ");
	trace(-6);
	trace(" ");
	trace(-8ll);
	trace(" ");
	trace(18446744073709551615ull);
	trace("\n");
	exit(0);
}
