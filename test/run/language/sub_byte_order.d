/*@
 * what:    htons(), ntohl() and related functions convert between host and network byte order
 */
BEGIN
{
	printf("%x\n", htons(0x1234));
	printf("%x\n", htonl(0x12345678));
	printf("%x\n", htonll(0x123456789abcdef0));
	printf("%x\n", ntohs(0x1234));
	printf("%x\n", ntohl(0x12345678));
	printf("%x\n", ntohll(0x123456789abcdef0));
	printf("%x\n", htons(0x12345));
	exit(0);
}
