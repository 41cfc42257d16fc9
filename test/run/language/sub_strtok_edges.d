/*@
 * what:    strtok() returns NULL if no token is left, and accepts changing delimiters and a second string
 */
BEGIN
{
	printf("%d", strtok("", ",") == NULL);
	printf("%d", strtok(",,,", ",") == NULL);
	printf("[%s]", strtok("abc", ","));
	printf("%d", strtok(0, ",") == NULL);
	printf("[%s]", strtok("a b c", ""));
	printf("[%s]", strtok("x=1;y=2", "="));
	printf("[%s]", strtok(NULL, ";"));
	printf("[%s]", strtok(NULL, "="));
	printf("[%s]", strtok("p q", " "));
	printf("[%s]\n", strtok(NULL, " "));
	exit(0);
}
