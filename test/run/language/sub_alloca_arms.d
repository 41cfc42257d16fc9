/*@
 * what:    a pointer that gets an alloca() address in both branches of an if can be used after the if
 */
int big;
BEGIN
{
	big = 1;
	if (big)
		this->p = (char *)alloca(100);
	else
		this->p = (char *)alloca(10);
	this->p[0] = 'h';
	this->p[1] = 'i';
	printf("[%s] %d\n", stringof(this->p), strlen(stringof(this->p)));
	this->s = stringof(this->p);
	printf("[%s]\n", strjoin(this->s, this->s));
	exit(0);
}
