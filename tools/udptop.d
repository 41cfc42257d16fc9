#!/usr/sbin/dtrace -s
/*
 * udptop.d - processes that send the most bytes by UDP, by destination
 *
 * USAGE: udptop.d [seconds [count]]
 *	seconds	a report this often; else one, at the end
 *	count	number of reports before the tool ends
 *	With -c or -p: only that process and its descendants.
 *
 *	     PID COMMAND          TO                        DATAGRAMS        BYTES
 *	     896 talk             127.0.0.1:7001                    3         3210
 *
 * BYTES counts data without headers, and the largest row is last. Received data is not shown, because the receiving
 * process is not known when a datagram arrives.
 */
#pragma D option quiet
#pragma D option escape=on
#pragma D option defaultargs
#pragma D option aggsortpos=1

inline int interval = $1 > 0 ? $1 : 0x7fffffff;
inline int last = $2 > 0 ? interval * $2 : 0x7fffffff;

udp:::send
/$target == 0 || progenyof($target)/
{
	this->to = inet_endpoint[args[2]->ip_daddr, args[4]->udp_dport];
	@datagrams[pid, execname, this->to] = count();
	@bytes[pid, execname, this->to] = sum(args[4]->udp_length - sizeof(struct udphdr));
}

tick-1s, END
/probename != "END" ? ++seconds % interval == 0 : seconds < last/
{
	printf("%8s %-16s %-24s %10s %12s\n", "PID", "COMMAND", "TO", "DATAGRAMS", "BYTES");
	printa("%8d %-16s %-24s %@10d %@12d\n", @datagrams, @bytes);
	trunc(@datagrams);
	trunc(@bytes);
}

tick-1s
/seconds >= last/
{
	exit(0);
}
