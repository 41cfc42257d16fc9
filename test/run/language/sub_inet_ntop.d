/*@
 * what:    inet_ntop() returns IPv4 or IPv6 text according to the address family
 */
BEGIN
{
	this->p = (char *)alloca(4);
	this->p[0] = 10;
	this->p[1] = 1;
	this->p[2] = 2;
	this->p[3] = 3;
	printf("%s\n", inet_ntop(2, this->p));
}
BEGIN
{
	this->p = (char *)alloca(4);
	this->p[0] = 10;
	this->p[1] = 1;
	this->p[2] = 2;
	this->p[3] = 3;
	printf("%s\n", inet_ntop(99, this->p));
}
BEGIN
{
	this->p = (char *)alloca(16);
	this->p[0] = -2;
	this->p[1] = -128;
	this->p[15] = 1;
	printf("%s\n", inet_ntop(10, this->p));
}
BEGIN
{
	this->p = (char *)alloca(16);
	this->p[12] = 127;
	this->p[15] = 1;
	printf("%s\n", inet_ntop(10, this->p));
}
BEGIN { exit(0); }
