/*@
 * what:    the delimiter that ended a token is still there for the next call, and only its own set skips it
 */
BEGIN
{
	printf("[%s]", strtok("key=val;rest", "="));
	printf("[%s]", strtok(NULL, ";"));
	printf("[%s]", strtok(NULL, "="));
	printf("%d\n", strtok(NULL, "=") == NULL);
	exit(0);
}
