/*@
 * what:    memstr() returns at most strsize characters
 * run:     -qs %file% -x strsize=8
 */
BEGIN
{
	this->bytes = (char *)alloca(32);
	printf("%s %s %s\n", memstr(this->bytes, '0', 8), memstr(this->bytes, '1', 9), memstr(this->bytes, '2', 32));
	exit(0);
}
