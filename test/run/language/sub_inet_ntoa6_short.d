/*@
 * what:    inet_ntoa6() returns :: for the zero address, and all eight groups for the longest address
 */
BEGIN
{
	this->p = (char *)alloca(16);
	printf("%s\n", inet_ntoa6((struct in6_addr *)this->p));
}
BEGIN
{
	this->p = (char *)alloca(16);
	this->p[15] = 1;
	printf("%s\n", inet_ntoa6((struct in6_addr *)this->p));
}
BEGIN
{
	this->p = (char *)alloca(16);
	this->p[15] = 1;
	printf("%s\n", inet_ntoa6((struct in6_addr *)this->p, 1));
}
BEGIN
{
	this->p = (char *)alloca(16);
	this->p[0] = -1;
	this->p[1] = -1;
	this->p[2] = -1;
	this->p[3] = -1;
	this->p[4] = -1;
	this->p[5] = -1;
	this->p[6] = -1;
	this->p[7] = -1;
	this->p[8] = -1;
	this->p[9] = -1;
	this->p[10] = -1;
	this->p[11] = -1;
	this->p[12] = -1;
	this->p[13] = -1;
	this->p[14] = -1;
	this->p[15] = -1;
	printf("%s\n", inet_ntoa6((struct in6_addr *)this->p));
}
BEGIN { exit(0); }
