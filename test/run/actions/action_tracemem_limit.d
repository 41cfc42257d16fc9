/*@
 * what:    the third argument of tracemem() limits the output: 0 shows nothing, negative or too large values show everything
 */
BEGIN
{
	this->p = (char *)alloca(8);
	this->p[0] = 'A'; this->p[1] = 'B';
	this->n = 1;
	tracemem(this->p, 8, this->n);
	tracemem(this->p, 8, 0);
	tracemem(this->p, 2, -1);
	tracemem(this->p, 2, 99);
	exit(0);
}
