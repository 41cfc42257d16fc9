#!/usr/sbin/dtrace -s
/*
 * tcpaccept.d - incoming TCP connections to this machine
 *
 * USAGE: tcpaccept.d [port]
 *	port	only to this local port
 *
 *	TIME(ms) IP FROM                     TO
 *	       1  4 127.0.0.1:7002           127.0.0.1:7001
 *	port 7001: 1 accepted
 *
 * TIME(ms) counts from the start of the trace, IP is the protocol version. A line is printed when the connection is
 * established. At that time no process has accepted it, so the process is unknown.
 */
#pragma D option quiet
#pragma D option escape=on
#pragma D option defaultargs

BEGIN
{
	begun = timestamp;
	printf("%8s %2s %-24s %s\n", "TIME(ms)", "IP", "FROM", "TO");
}

tcp:::accept-established
/$1 == 0 || args[3]->tcps_lport == $1/
{
	printf("%8d %2d %-24s %s\n", (timestamp - begun) / 1000000, args[2]->ip_ver,
	    inet_endpoint[args[3]->tcps_raddr, args[3]->tcps_rport],
	    inet_endpoint[args[3]->tcps_laddr, args[3]->tcps_lport]);
	@[args[3]->tcps_lport] = count();
}

END
{
	printa("port %d: %@d accepted\n", @);
}
