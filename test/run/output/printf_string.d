/*@
 * what:    %s supports width, alignment and precision
 * env:     DTRACE_REPRODUCIBLE=
 */
BEGIN
{
	printf("[%s][%10s][%-10s][%.3s][%6.2s]\n", "str", "str", "str", "string", "string");
	printf("[%s]\n", "");
	exit(0);
}
