/*@
 * what:    a string without NUL in memory from alloca() ends at the end of the memory
 */
BEGIN
{
	this->p = (char *)alloca(8);
	this->p[0] = 'a'; this->p[1] = 'b'; this->p[2] = 'c'; this->p[3] = 'd';
	this->p[4] = 'e'; this->p[5] = 'f'; this->p[6] = 'g'; this->p[7] = 'h';
	printf("[%s]\n", stringof(this->p));
	printf("[%s]\n", stringof(this->p + 5));
	exit(0);
}
