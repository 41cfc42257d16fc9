/*@
 * what:    toupper() converts ASCII letters to upper case
 */
BEGIN
{
	printf("[%s]\n", toupper("Hello, World 1z{`a"));
	printf("[%s]\n", toupper(""));
	printf("[%s]\n", toupper("already"));
	printf("[%s]\n", toupper(strjoin("a", "B")));
	exit(0);
}
