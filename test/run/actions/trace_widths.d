/*@
 * what:    trace() pads every integer to the width of its type
 * run:     -x cpu=0 -s %file%
 * env:     DTRACE_REPRODUCIBLE=
 */
BEGIN
{
	trace((int8_t)-3);
	trace((uint8_t)200);
	trace((short)-4);
	trace((unsigned short)60000);
	trace(-6);
	trace(7u);
	trace(-8ll);
	trace(9ull);
	exit(0);
}
