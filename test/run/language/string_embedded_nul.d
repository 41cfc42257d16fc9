/*@
 * what:    a string literal with \0 inside ends there, except that sizeof counts all its bytes
 */
BEGIN
{
	printf("%d %d %d\n", strlen("a\0b"), sizeof("a\0b"), "a\0b" == "a");
	m["a\0b"] = 5;
	printf("%d %s\n", m["a"], strjoin("a\0b", "c"));
	@["a\0b"] = count();
	@["a"] = count();
	exit(0);
}
END { printa("%s %@d\n", @); }
