/*@
 * what:    strtok() leaves the ending delimiter for the next call, which skips only its own delimiters
 */
BEGIN
{
	printf("[%s]", strtok("key=val;rest", "="));
	printf("[%s]", strtok(NULL, ";"));
	printf("[%s]", strtok(NULL, "="));
	printf("%d\n", strtok(NULL, "=") == NULL);
	exit(0);
}
