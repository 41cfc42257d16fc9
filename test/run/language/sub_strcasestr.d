/*@
 * what:    strcasestr() returns the rest of a string from the first occurrence of another string on, and ignores the case of ASCII letters
 */
BEGIN
{
	printf("[%s]\n", strcasestr("Hello", "LL"));
	printf("[%s]\n", strcasestr("Content-Length: 5", "content-length:"));
	printf("[%s]\n", strcasestr("aAaB", "aab"));
	printf("[%s]\n", strcasestr("Hello", ""));
	printf("[%s]\n", strcasestr("[@] z{`}", "Z{`}"));
	printf("%d%d%d%d\n", strcasestr("[", "{") == NULL, strcasestr("@", "`") == NULL, strcasestr("Hello", "hellos") == NULL,
	    strcasestr("\344", "\304") == NULL);
	this->s = strcasestr(execname, "X");
	exit(0);
}
