/*@
 * what:    inet_ntoa6() returns the text of an IPv6 address, with :: for the longest run of zero groups
 */
BEGIN
{
	this->p = (char *)alloca(16);
	this->p[0] = 32;
	this->p[1] = 1;
	this->p[2] = 13;
	this->p[3] = -72;
	this->p[9] = 1;
	this->p[15] = 1;
	printf("%s\n", inet_ntoa6((struct in6_addr *)this->p));
}
BEGIN
{
	this->p = (char *)alloca(16);
	this->p[0] = -2;
	this->p[1] = -128;
	this->p[9] = 18;
	this->p[10] = -85;
	this->p[11] = -51;
	this->p[13] = -17;
	this->p[15] = 15;
	printf("%s\n", inet_ntoa6((struct in6_addr *)this->p));
}
BEGIN
{
	this->p = (char *)alloca(16);
	this->p[1] = 1;
	this->p[5] = 2;
	this->p[9] = 3;
	this->p[13] = 4;
	printf("%s\n", inet_ntoa6((struct in6_addr *)this->p));
}
BEGIN
{
	this->p = (char *)alloca(16);
	this->p[1] = 1;
	this->p[3] = 2;
	this->p[5] = 3;
	this->p[7] = 4;
	this->p[9] = 5;
	this->p[11] = 6;
	printf("%s\n", inet_ntoa6((struct in6_addr *)this->p));
}
BEGIN
{
	this->p = (char *)alloca(16);
	this->p[5] = 1;
	this->p[15] = 9;
	printf("%s\n", inet_ntoa6((struct in6_addr *)this->p));
}
BEGIN
{
	this->p = (char *)alloca(16);
	this->p[3] = 1;
	printf("%s\n", inet_ntoa6((struct in6_addr *)this->p));
}
BEGIN { exit(0); }
