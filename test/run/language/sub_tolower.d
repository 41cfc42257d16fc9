/*@
 * what:    tolower() converts ASCII letters to lower case
 */
BEGIN
{
	printf("[%s]\n", tolower("Hello, World 1Z[@A"));
	printf("[%s]\n", tolower(""));
	printf("[%s]\n", tolower("ALREADY"));
	exit(0);
}
