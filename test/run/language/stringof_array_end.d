/*@
 * what:    stringof() of a char array without NUL ends at the end of the array, also through a pointer into the array
 */
char first[8], second[8];
BEGIN
{
	bcopy("abcdefgh", &first[0], 8);
	bcopy("ijklmnop", &second[0], 8);
	this->p = &first[0];
	this->q = (char *)alloca(8);
	bcopy("qrstuvwx", this->q, 8);
	this->r = (char *)alloca(1);
	this->r[0] = 'y';
	printf("%s %s %s %s %s\n", stringof(first), stringof(this->p), stringof(&second[3]), stringof(this->q), stringof(this->r));
	exit(0);
}
