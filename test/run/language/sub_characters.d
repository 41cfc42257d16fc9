/*@
 * what:    characters of a string can be read by index and through a pointer
 */
int i;
BEGIN
{
	s = "hello";
	i = 1;
	printf("%c%c%c%c\n", s[i], s[i + 3], *(s + i), *("world" + i));
	this->t = strchr(s, 'l');
	printf("%c%c\n", this->t[0], this->t[i + 1]);
	printf("%c\n", strjoin(s, "!")[i * 5]);
	exit(0);
}
