/*@
 * what:    the result of index() and rindex(), stored in a variable, works as argument of substr()
 */
BEGIN
{
	s = "key=value=more";
	this->at = index(s, "=");
	printf("%s %s\n", substr(s, 0, this->at), substr(s, this->at + 1));
	this->at = rindex(s, "=");
	printf("%s %s\n", substr(s, 0, this->at), substr(s, this->at + 1));
	exit(0);
}
