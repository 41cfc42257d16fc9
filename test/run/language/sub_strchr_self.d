/*@
 * what:    s = strchr(s, c) sets a string variable to a part of itself
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
