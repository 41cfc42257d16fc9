/*@
 * what:    each call of strtok() uses only its own delimiters, even if the previous call had other delimiters
 */
BEGIN
{
	printf("[%s]", strtok("key=val;rest", "="));
	printf("[%s]", strtok(NULL, ";"));
	printf("[%s]", strtok(NULL, "="));
	printf("%d\n", strtok(NULL, "=") == NULL);
	exit(0);
}
