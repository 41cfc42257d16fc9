/*@
 * what:    link_ntop() returns the text of Ethernet and InfiniBand hardware addresses
 */
BEGIN
{
	this->p = (char *)alloca(6);
	this->p[1] = 27;
	this->p[2] = 33;
	this->p[3] = -85;
	this->p[4] = -51;
	this->p[5] = -17;
	printf("%s\n", link_ntop(1, this->p));
}
BEGIN
{
	this->p = (char *)alloca(20);
	this->p[1] = 1;
	this->p[2] = 2;
	this->p[3] = 3;
	this->p[4] = 4;
	this->p[5] = 5;
	this->p[6] = 6;
	this->p[7] = 7;
	this->p[8] = 8;
	this->p[9] = 9;
	this->p[10] = 10;
	this->p[11] = 11;
	this->p[12] = 12;
	this->p[13] = 13;
	this->p[14] = 14;
	this->p[15] = 15;
	this->p[16] = 16;
	this->p[17] = 17;
	this->p[18] = 18;
	this->p[19] = -1;
	printf("%s\n", link_ntop(32, this->p));
}
BEGIN { exit(0); }
