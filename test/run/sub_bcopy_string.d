/*@
 * what:    a string copied to scratch memory
 */
BEGIN
{
	this->b = (char *)alloca(16);
	bcopy("hello", this->b, 6);
	this->b[0] = 'j';
	printf("%s\n", stringof(this->b));
	exit(0);
}
