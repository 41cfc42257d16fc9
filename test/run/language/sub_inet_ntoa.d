/*@
 * what:    inet_ntoa() prints IPv4 addresses in dotted decimal
 */
BEGIN
{
	this->p = (char *)alloca(4);
	this->p[0] = 127;
	this->p[3] = 1;
	printf("%s\n", inet_ntoa((ipaddr_t *)this->p));
}
BEGIN
{
	this->p = (char *)alloca(4);
	this->p[0] = -1;
	this->p[1] = -1;
	this->p[2] = -1;
	this->p[3] = -1;
	printf("%s\n", inet_ntoa((ipaddr_t *)this->p));
}
BEGIN
{
	this->p = (char *)alloca(4);
	printf("%s\n", inet_ntoa((ipaddr_t *)this->p));
}
BEGIN
{
	this->p = (char *)alloca(4);
	this->p[0] = 10;
	this->p[1] = 100;
	this->p[2] = 99;
	this->p[3] = 9;
	printf("%s\n", inet_ntoa((ipaddr_t *)this->p));
}
BEGIN { exit(0); }
