/*@
 * what:    %c prints one character, and %C prints it escaped
 * env:     DTRACE_REPRODUCIBLE=
 */
BEGIN
{
	printf("%c%c%c|%3c|%-3c|\n", 72, 'i', (char)33, 'x', 'y');
	printf("%C %C %C %C %C %C %C\n", 10, 9, 0, 'A', '"', 92, 7);
	printf("%C %C\n", (char)1, (char)127);
	exit(0);
}
