/*@
 * what:    strchr(), strrchr() and strstr() return NULL without a match
 */
BEGIN
{
	printf("%d", strchr("hello", 'x') == NULL);
	printf("%d", strchr("", 'x') == NULL);
	printf("%d", strchr("hello", '\0') == NULL);
	printf("%d", strrchr("hello", 'x') == NULL);
	printf("%d", strrchr("hello", '\0') == NULL);
	printf("%d", strstr("hello", "x") == NULL);
	printf("%d", strstr("hello", "hellos") == NULL);
	printf("%d\n", strstr("", "x") == NULL);
	printf("%d", strchr("hello", 'h') == NULL);
	printf("%d", strrchr("hello", 'o') != NULL);
	printf("%d\n", strstr("hello", "") != NULL);
	exit(0);
}
