#!/usr/sbin/dtrace -s
/*
 * cpudist.d - time that threads run on a CPU without interruption, as histograms by program
 *
 * USAGE: cpudist.d [seconds [count]]
 *	seconds	a report this often; else one, at the end
 *	count	number of reports before the tool ends
 *	With -c or -p: only that process and its descendants.
 *
 *	sleeper (microseconds on a CPU)
 *	           value  ------------- Distribution ------------- count
 *	               4 |                                         0
 *	               8 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@   96
 *	              16 |@                                        2
 *	              32 |                                         1
 *	              64 |                                         1
 *	             128 |                                         1
 *	             256 |                                         0
 *
 * Times are in microseconds and include interrupts served in between. A thread is counted from its first switch onto a
 * CPU after the start of the trace.
 */
#pragma D option quiet
#pragma D option escape=on
#pragma D option defaultargs

inline int interval = $1 > 0 ? $1 : 0x7fffffff;
inline int last = $2 > 0 ? interval * $2 : 0x7fffffff;

sched:::on-cpu
/pid != 0 && ($target == 0 || progenyof($target))/
{
	self->on = timestamp;
}

sched:::off-cpu
/self->on/
{
	@[execname] = quantize((timestamp - self->on) / 1000);
	self->on = 0;
}

tick-1s, END
/probename != "END" ? ++seconds % interval == 0 : seconds < last/
{
	printa("%s (microseconds on a CPU)%@d\n", @);
	trunc(@);
}

tick-1s
/seconds >= last/
{
	exit(0);
}
