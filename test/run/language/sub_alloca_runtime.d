/*@
 * what:    alloca() accepts sizes computed at run time
 * stderr:  exact
 */
int n;
BEGIN
{
	n = 16;
	this->p = (char *)alloca(n);
	this->p[15] = 9;
	printf("%d %d\n", this->p[15], this->p[0]);
	exit(0);
}
BEGIN { n = 257; trace((uint64_t)alloca(n)); }
BEGIN { n = -1; trace((uint64_t)alloca(n)); }
