#!/usr/sbin/dtrace -s
/*
 * cpudist.d - how long threads stay on a CPU at a stretch, as histograms by program
 *
 * USAGE: cpudist.d [seconds [count]]
 *	seconds	a report this often; else one, at the end
 *	count	end after so many reports
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
 * Interrupts that are served meanwhile are part of the time. A thread is counted from the first time that it is put on a CPU while the script runs.
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
