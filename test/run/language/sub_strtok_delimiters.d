/*@
 * what:    each call of strtok() uses only its own delimiters, also when they differ from those of the call before
 */
BEGIN
{
	printf("[%s]", strtok("key=val;rest", "="));
	printf("[%s]", strtok(NULL, ";"));
	printf("[%s]", strtok(NULL, "="));
	printf("%d\n", strtok(NULL, "=") == NULL);
	exit(0);
}
