/*@
 * what:    bcopy(source, destination, size) copies bytes into memory from alloca()
 */
BEGIN
{
	this->a = (char *)alloca(16);
	this->b = (char *)alloca(16);
	this->a[0] = 'x'; this->a[1] = 'y'; this->a[2] = 'z';
	bcopy(this->a, this->b, 3);
	bcopy(this->a, this->b + 4, 2);
	printf("[%s][%s]\n", stringof(this->b), stringof(this->b + 4));
	bcopy(this->b, this->b + 1, 0);
	bcopy(curthread, this->a, 16);
	this->n = 2;
	bcopy(this->b, this->a, this->n);
	printf("[%c%c]\n", this->a[0], this->a[1]);
	exit(0);
}
