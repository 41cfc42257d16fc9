/*@
 * what:    the third argument of tracemem() limits the printed bytes: 0 prints none, a negative or too large value prints all
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
