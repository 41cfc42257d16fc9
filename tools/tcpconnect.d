#!/usr/sbin/dtrace -s
/*
 * tcpconnect.d - TCP connections that processes request, with the outcome and its time
 *
 * USAGE: tcpconnect.d [port]
 *	port	only to this remote port
 *	With -c or -p: only that process and its descendants.
 *
 *	     PID COMMAND          FROM                     TO                        TIME(us) OUTCOME
 *	     855 talk             127.0.0.1:7002           127.0.0.1:7001                  97 established
 *	1 established
 *
 * TIME(us) is the time until the outcome. A line is printed when the outcome is known: established after the peer's
 * answer, failed after a refusal or a timeout.
 */
#pragma D option quiet
#pragma D option escape=on
#pragma D option defaultargs

BEGIN
{
	printf("%8s %-16s %-24s %-24s %9s %s\n", "PID", "COMMAND", "FROM", "TO", "TIME(us)", "OUTCOME");
}

tcp:::connect-request
/!asked[args[1]->cs_addr] && ($target == 0 || progenyof($target)) && ($1 == 0 || args[3]->tcps_rport == $1)/
{
	asked[args[1]->cs_addr] = timestamp;
	asker[args[1]->cs_addr] = pid;
	command[args[1]->cs_addr] = execname;
}

tcp:::state-change
/args[5]->tcps_state == TCP_STATE_SYN_SENT && asked[args[1]->cs_addr]/
{
	this->socket = args[1]->cs_addr;
	this->outcome = args[3]->tcps_state == TCP_STATE_ESTABLISHED ? "established" : "failed";
	printf("%8d %-16s %-24s %-24s %9d %s\n", asker[this->socket], command[this->socket],
	    inet_endpoint[args[3]->tcps_laddr, args[3]->tcps_lport],
	    inet_endpoint[args[3]->tcps_raddr, args[3]->tcps_rport],
	    (timestamp - asked[this->socket]) / 1000, this->outcome);
	@outcomes[this->outcome] = count();
	asked[this->socket] = 0;
	asker[this->socket] = 0;
	command[this->socket] = 0;
}

END
{
	printa("%@d %s\n", @outcomes);
}
