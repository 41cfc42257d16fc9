#!/usr/sbin/dtrace -s
/*
 * tcpstates.d - state changes of TCP connections, with the time spent in the old state
 *
 * USAGE: tcpstates.d [port]
 *	port	only with this port at either end
 *
 *	LOCAL                    REMOTE                    TIME(us) STATE
 *	127.0.0.1:7001           0.0.0.0:0                        - CLOSED -> LISTEN
 *	127.0.0.1:7002           127.0.0.1:7001                   - CLOSED -> SYN-SENT
 *	127.0.0.1:7002           127.0.0.1:7001                  50 SYN-SENT -> ESTAB
 *	127.0.0.1:7001           127.0.0.1:7002                   - LISTEN -> SYN-RECV
 *	127.0.0.1:7001           127.0.0.1:7002                  16 SYN-RECV -> ESTAB
 *
 * TIME(us) is "-" if the old state began before the trace. Changes to TIME-WAIT are seen only on kernels with kprobes.
 */
#pragma D option quiet
#pragma D option escape=on
#pragma D option defaultargs

uint64_t since[uintptr_t];

/* State names as in ss(8). */
inline string state[int s] = s == TCP_STATE_ESTABLISHED ? "ESTAB" : s == TCP_STATE_SYN_SENT ? "SYN-SENT" : s == TCP_STATE_SYN_RECEIVED ? "SYN-RECV" :
    s == TCP_STATE_FIN_WAIT_1 ? "FIN-WAIT-1" : s == TCP_STATE_FIN_WAIT_2 ? "FIN-WAIT-2" : s == TCP_STATE_TIME_WAIT ? "TIME-WAIT" :
    s == TCP_STATE_CLOSE_WAIT ? "CLOSE-WAIT" : s == TCP_STATE_LAST_ACK ? "LAST-ACK" : s == TCP_STATE_LISTEN ? "LISTEN" :
    s == TCP_STATE_CLOSING ? "CLOSING" : "CLOSED";

BEGIN
{
	printf("%-24s %-24s %9s %s\n", "LOCAL", "REMOTE", "TIME(us)", "STATE");
}

tcp:::state-change
/$1 == 0 || args[3]->tcps_lport == $1 || args[3]->tcps_rport == $1/
{
	this->since = since[args[1]->cs_addr];
	printf("%-24s %-24s %9s %s -> %s\n", inet_endpoint[args[3]->tcps_laddr, args[3]->tcps_lport],
	    inet_endpoint[args[3]->tcps_raddr, args[3]->tcps_rport],
	    this->since == 0 ? "-" : lltostr((timestamp - this->since) / 1000),
	    state[args[5]->tcps_state], state[args[3]->tcps_state]);
	since[args[1]->cs_addr] = args[3]->tcps_state == TCP_STATE_CLOSED ? 0 : timestamp;
	@[state[args[3]->tcps_state]] = count();
}

END
{
	printa("%@d to %s\n", @);
}
