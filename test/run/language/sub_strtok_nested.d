/*@
 * what:    a token that strtok() returned stays the same after further strtok() calls
 */
BEGIN
{
	this->first = strtok("left right", " ");
	this->second = strtok(NULL, " ");
	printf("%s-%s\n", this->second, this->first);
	printf("%s\n", strjoin(strtok("a b", " "), strtok("c d", " ")));
	@[strtok("key value", " ")] = count();
	@[strtok("key", " ")] = count();
	exit(0);
}
