/*@
 * what:    tracemem() prints 16 bytes on each line, with offsets and characters
 */
BEGIN
{
	this->p = (char *)alloca(20);
	this->p[0] = 'A'; this->p[15] = 127; this->p[17] = '~'; this->p[19] = ' ';
	tracemem(this->p, 20);
	exit(0);
}
