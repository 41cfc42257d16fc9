/*@
 * what:    the third argument shows less; nothing for 0, all when negative or too large
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
