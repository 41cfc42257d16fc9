/*@
 * what:    positions stored in variables can be arguments of other subroutines
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
