/*@
 * what:    a variable can be assigned the result of strchr() on itself
 */
BEGIN
{
	s = "one two three";
	s = strchr(s, ' ');
	printf("[%s]\n", s);
	s = strrchr(s, 't');
	printf("[%s]\n", s);
	this->t = "a.b.c";
	this->t = strstr(this->t, "b.");
	printf("[%s]\n", this->t);
	exit(0);
}
