/*@
 * what:    inet_ntoa6() shows an embedded IPv4 address in dotted form; with its second argument, it also prints the prefix such as ::ffff:
 */
BEGIN
{
	this->p = (char *)alloca(16);
	this->p[12] = 127;
	this->p[15] = 1;
	printf("%s\n", inet_ntoa6((struct in6_addr *)this->p));
}
BEGIN
{
	this->p = (char *)alloca(16);
	this->p[12] = 127;
	this->p[15] = 1;
	printf("%s\n", inet_ntoa6((struct in6_addr *)this->p, 1));
}
BEGIN
{
	this->p = (char *)alloca(16);
	this->p[10] = -1;
	this->p[11] = -1;
	this->p[12] = 127;
	this->p[15] = 1;
	printf("%s\n", inet_ntoa6((struct in6_addr *)this->p));
}
BEGIN
{
	this->p = (char *)alloca(16);
	this->p[10] = -1;
	this->p[11] = -1;
	this->p[12] = 127;
	this->p[15] = 1;
	printf("%s\n", inet_ntoa6((struct in6_addr *)this->p, 1));
}
BEGIN
{
	this->p = (char *)alloca(16);
	this->p[15] = 2;
	printf("%s\n", inet_ntoa6((struct in6_addr *)this->p));
}
BEGIN
{
	this->p = (char *)alloca(16);
	this->p[9] = 1;
	this->p[10] = -1;
	this->p[11] = -1;
	this->p[13] = 1;
	this->p[15] = 1;
	printf("%s\n", inet_ntoa6((struct in6_addr *)this->p));
}
BEGIN { exit(0); }
