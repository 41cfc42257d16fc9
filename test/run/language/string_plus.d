/*@
 * what:    a string plus a number is the rest of the string from that character on
 */
BEGIN
{
	s = "hello";
	x = s + 1;
	printf("%s %s [%s] %c\n", s + 1, 2 + s, s + 1 + 2, *(s + 4));
	s = "other";
	printf("%s %d\n", x, "key=value" + 4 == "value");
	printf("%c\n", *(char *)(s + 2));
	@[x + 1] = count();
	exit(0);
}
