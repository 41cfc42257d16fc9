#!/usr/sbin/dtrace -s
/*
 * tcpretrans.d - TCP segments that are retransmitted
 *
 * USAGE: tcpretrans.d [port]
 *	port	only with this port at either end
 *
 *	TIME(ms) FROM                     TO                          BYTES  RTO(ms) STATE
 *	     210 127.0.0.1:7002           127.0.0.1:7001                  1      204 state-established
 *	1 segments retransmitted
 *
 * TIME(ms) counts from the start of the trace. BYTES is the length of the data. RTO(ms) is the kernel's timeout until
 * the next retransmission. Segments that only acknowledge data are never retransmitted.
 */
#pragma D option quiet
#pragma D option escape=on
#pragma D option defaultargs

BEGIN
{
	begun = timestamp;
	printf("%8s %-24s %-24s %8s %8s %s\n", "TIME(ms)", "FROM", "TO", "BYTES", "RTO(ms)", "STATE");
}

tcp:::send
/args[3]->tcps_retransmit && ($1 == 0 || args[3]->tcps_lport == $1 || args[3]->tcps_rport == $1)/
{
	printf("%8d %-24s %-24s %8d %8d %s\n", (timestamp - begun) / 1000000,
	    inet_endpoint[args[3]->tcps_laddr, args[3]->tcps_lport],
	    inet_endpoint[args[3]->tcps_raddr, args[3]->tcps_rport],
	    args[2]->ip_plength - args[4]->tcp_offset, args[3]->tcps_rto, tcp_state_string[args[3]->tcps_state]);
	@again = count();
}

END
{
	printa("%@d segments retransmitted\n", @again);
}
