#!/usr/sbin/dtrace -s
/*
 * tcpstates.d - every change of a TCP connection's state, with the time spent in the one before
 *
 * USAGE: tcpstates.d [port]
 *	port	only with this port at either end
 *
 *	LOCAL                    REMOTE                    TIME(us) STATE
 *	127.0.0.1:7001           0.0.0.0:0                        - state-closed -> state-listen
 *	127.0.0.1:7002           127.0.0.1:7001                   - state-closed -> state-syn-sent
 *	127.0.0.1:7002           127.0.0.1:7001                  50 state-syn-sent -> state-established
 *	127.0.0.1:7001           127.0.0.1:7002                   - state-listen -> state-syn-received
 *	127.0.0.1:7001           127.0.0.1:7002                  16 state-syn-received -> state-established
 *
 * The time is - when the state began before the script did. Changes to state-time-wait are seen on kernels with kprobes only.
 */
#pragma D option quiet
#pragma D option defaultargs

uint64_t since[uintptr_t];

BEGIN
{
	printf("%-24s %-24s %9s %s\n", "LOCAL", "REMOTE", "TIME(us)", "STATE");
}

tcp:::state-change
/$1 == 0 || args[3]->tcps_lport == $1 || args[3]->tcps_rport == $1/
{
	this->since = since[args[1]->cs_addr];
	printf("%-24s %-24s %9s %s -> %s\n", strjoin(args[3]->tcps_laddr, strjoin(":", lltostr(args[3]->tcps_lport))),
	    strjoin(args[3]->tcps_raddr, strjoin(":", lltostr(args[3]->tcps_rport))),
	    this->since == 0 ? "-" : lltostr((timestamp - this->since) / 1000),
	    tcp_state_string[args[5]->tcps_state], tcp_state_string[args[3]->tcps_state]);
	since[args[1]->cs_addr] = args[3]->tcps_state == TCP_STATE_CLOSED ? 0 : timestamp;
	@[tcp_state_string[args[3]->tcps_state]] = count();
}

END
{
	printa("%@d to %s\n", @);
}
