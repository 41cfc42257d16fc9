#!/usr/sbin/dtrace -s
/*
 * tcplife.d - TCP connections at their end, with their age and the bytes sent and received
 *
 * USAGE: tcplife.d [port]
 *	port	only with this port at either end
 *	With -c or -p: only those of that process and its descendants.
 *
 *	     PID COMMAND          LOCAL                    REMOTE                        SENT  RECEIVED   AGE(ms)
 *	     874 talk             127.0.0.1:7002           127.0.0.1:7001                 100       300         0
 *	     874 talk             127.0.0.1:7001           127.0.0.1:7002                 300       100         0
 *	2 connections ended
 *
 * SENT and RECEIVED are bytes of data, without retransmissions. AGE(ms) is the age of the connection. The process is
 * the one that requested the connection. For incoming connections it is the process that was running when this side
 * began to close. Connections older than the trace are not shown.
 */
#pragma D option quiet
#pragma D option escape=on
#pragma D option defaultargs

BEGIN
{
	printf("%8s %-16s %-24s %-24s %9s %9s %9s\n", "PID", "COMMAND", "LOCAL", "REMOTE", "SENT", "RECEIVED", "AGE(ms)");
}

tcp:::state-change
/(args[3]->tcps_state == TCP_STATE_SYN_SENT || args[3]->tcps_state == TCP_STATE_ESTABLISHED) && !born[args[1]->cs_addr]/
{
	born[args[1]->cs_addr] = timestamp;
}

tcp:::state-change
/args[3]->tcps_state == TCP_STATE_SYN_SENT ||
    (born[args[1]->cs_addr] && !owner[args[1]->cs_addr] &&
    (args[3]->tcps_state == TCP_STATE_FIN_WAIT_1 || args[3]->tcps_state == TCP_STATE_LAST_ACK || args[3]->tcps_state == TCP_STATE_CLOSED))/
{
	owner[args[1]->cs_addr] = pid;
	wanted[args[1]->cs_addr] = $target == 0 || progenyof($target);
	command[args[1]->cs_addr] = execname;
}

tcp:::state-change
/args[3]->tcps_state == TCP_STATE_CLOSED && born[args[1]->cs_addr] && args[5]->tcps_state != TCP_STATE_SYN_SENT &&
    wanted[args[1]->cs_addr] && ($1 == 0 || args[3]->tcps_lport == $1 || args[3]->tcps_rport == $1)/
{
	/* The byte count includes the end of the stream, if bit 1 (SOCK_DONE of include/net/sock.h) is set. */
	this->ended = (((struct sock *)arg3)->__sk_common.skc_flags >> 1) & 1;
	printf("%8d %-16s %-24s %-24s %9d %9d %9d\n", owner[args[1]->cs_addr], command[args[1]->cs_addr],
	    inet_endpoint[args[3]->tcps_laddr, args[3]->tcps_lport],
	    inet_endpoint[args[3]->tcps_raddr, args[3]->tcps_rport],
	    ((struct tcp_sock *)arg3)->bytes_sent - ((struct tcp_sock *)arg3)->bytes_retrans,
	    ((struct tcp_sock *)arg3)->bytes_received - this->ended,
	    (timestamp - born[args[1]->cs_addr]) / 1000000);
	@ended = count();
}

tcp:::state-change
/args[3]->tcps_state == TCP_STATE_CLOSED/
{
	born[args[1]->cs_addr] = 0;
	owner[args[1]->cs_addr] = 0;
	wanted[args[1]->cs_addr] = 0;
	command[args[1]->cs_addr] = 0;
}

END
{
	printa("%@d connections ended\n", @ended);
}
