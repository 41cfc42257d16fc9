/*@
 * what:    bcopy() between overlapping memory regions copies the bytes as they were before the call, forward and backward
 */
BEGIN
{
	this->p = (char *)alloca(16);
	*(uint64_t *)this->p = 0x6867666564636261; /* abcdefgh */
	bcopy(this->p, this->p + 2, 6);
	printf("%s\n", stringof(this->p));
	*(uint64_t *)this->p = 0x6867666564636261;
	bcopy(this->p + 2, this->p, 6);
	printf("%s\n", stringof(this->p));
	exit(0);
}
