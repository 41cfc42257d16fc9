/*@
 * what:    with strsize=4096, the kernel accepts a clause with twenty calls of address functions such as inet_ntop()
 */
#pragma D option strsize=4096
string s, t;
int i;
BEGIN { s = "/usr/lib/../Share/x"; t = "/"; i = 10; }
BEGIN
{
	printf("%d ", strlen(inet_ntoa((ipaddr_t *)alloca(4))));
	printf("%d ", strlen(inet_ntoa((ipaddr_t *)alloca(4))));
	printf("%d ", strlen(inet_ntoa((ipaddr_t *)alloca(4))));
	printf("%d ", strlen(inet_ntoa((ipaddr_t *)alloca(4))));
	printf("%d ", strlen(inet_ntoa((ipaddr_t *)alloca(4))));
	printf("%d ", strlen(inet_ntoa((ipaddr_t *)alloca(4))));
	printf("%d ", strlen(inet_ntoa((ipaddr_t *)alloca(4))));
	printf("%d ", strlen(inet_ntoa((ipaddr_t *)alloca(4))));
	printf("%d ", strlen(inet_ntoa((ipaddr_t *)alloca(4))));
	printf("%d ", strlen(inet_ntoa((ipaddr_t *)alloca(4))));
	printf("%d ", strlen(inet_ntoa((ipaddr_t *)alloca(4))));
	printf("%d ", strlen(inet_ntoa((ipaddr_t *)alloca(4))));
	printf("%d ", strlen(inet_ntoa((ipaddr_t *)alloca(4))));
	printf("%d ", strlen(inet_ntoa((ipaddr_t *)alloca(4))));
	printf("%d ", strlen(inet_ntoa((ipaddr_t *)alloca(4))));
	printf("%d ", strlen(inet_ntoa((ipaddr_t *)alloca(4))));
	printf("%d ", strlen(inet_ntoa((ipaddr_t *)alloca(4))));
	printf("%d ", strlen(inet_ntoa((ipaddr_t *)alloca(4))));
	printf("%d ", strlen(inet_ntoa((ipaddr_t *)alloca(4))));
	printf("%d ", strlen(inet_ntoa((ipaddr_t *)alloca(4))));
	printf("\n");
}
BEGIN
{
	printf("%d ", strlen(link_ntop(1, alloca(6))));
	printf("%d ", strlen(link_ntop(1, alloca(6))));
	printf("%d ", strlen(link_ntop(1, alloca(6))));
	printf("%d ", strlen(link_ntop(1, alloca(6))));
	printf("%d ", strlen(link_ntop(1, alloca(6))));
	printf("%d ", strlen(link_ntop(1, alloca(6))));
	printf("%d ", strlen(link_ntop(1, alloca(6))));
	printf("%d ", strlen(link_ntop(1, alloca(6))));
	printf("%d ", strlen(link_ntop(1, alloca(6))));
	printf("%d ", strlen(link_ntop(1, alloca(6))));
	printf("%d ", strlen(link_ntop(1, alloca(6))));
	printf("%d ", strlen(link_ntop(1, alloca(6))));
	printf("%d ", strlen(link_ntop(1, alloca(6))));
	printf("%d ", strlen(link_ntop(1, alloca(6))));
	printf("%d ", strlen(link_ntop(1, alloca(6))));
	printf("%d ", strlen(link_ntop(1, alloca(6))));
	printf("%d ", strlen(link_ntop(1, alloca(6))));
	printf("%d ", strlen(link_ntop(1, alloca(6))));
	printf("%d ", strlen(link_ntop(1, alloca(6))));
	printf("%d ", strlen(link_ntop(1, alloca(6))));
	printf("\n");
}
BEGIN
{
	printf("%d ", progenyof(1));
	printf("%d ", progenyof(1));
	printf("%d ", progenyof(1));
	printf("%d ", progenyof(1));
	printf("%d ", progenyof(1));
	printf("%d ", progenyof(1));
	printf("%d ", progenyof(1));
	printf("%d ", progenyof(1));
	printf("%d ", progenyof(1));
	printf("%d ", progenyof(1));
	printf("%d ", progenyof(1));
	printf("%d ", progenyof(1));
	printf("%d ", progenyof(1));
	printf("%d ", progenyof(1));
	printf("%d ", progenyof(1));
	printf("%d ", progenyof(1));
	printf("%d ", progenyof(1));
	printf("%d ", progenyof(1));
	printf("%d ", progenyof(1));
	printf("%d ", progenyof(1));
	printf("\n");
}
BEGIN { exit(0); }
