/*@
 * what:    memory from alloca() can be written and read
 */
BEGIN
{
	this->p = (int *)alloca(8);
	printf("%d %d\n", this->p[0], this->p[1]);
	*this->p = 5;
	this->p[1] = -6;
	printf("%d %d\n", *this->p, this->p[1]);
	this->q = (char *)this->p;
	this->q[1] = 1;
	printf("%d\n", this->p[0]);
	this->p++;
	printf("%d\n", *this->p);
	exit(0);
}
