#!/usr/sbin/dtrace -s
/*
 * runqlat.d - time that runnable threads wait for a CPU, as a histogram
 *
 * USAGE: runqlat.d [seconds [count]]
 *	seconds	a report this often; else one, at the end
 *	count	number of reports before the tool ends
 *	With -c or -p: only that process and its descendants.
 *
 *	microseconds waited for a CPU
 *	           value  ------------- Distribution ------------- count
 *	               4 |                                         0
 *	               8 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@         80
 *	              16 |@@@@@@                                   15
 *	              32 |@                                        2
 *	              64 |                                         1
 *	             128 |                                         0
 *	             256 |                                         0
 *	             512 |                                         0
 *	            1024 |                                         0
 *	            2048 |@                                        2
 *	            4096 |                                         0
 *
 * Times are in microseconds. A wait starts when a thread is woken, or when it loses its CPU to another thread.
 */
#pragma D option quiet
#pragma D option escape=on
#pragma D option defaultargs

inline int interval = $1 > 0 ? $1 : 0x7fffffff;
inline int last = $2 > 0 ? interval * $2 : 0x7fffffff;

sched:::enqueue
{
	waits[args[0]->pr_lwpid] = timestamp;
}

sched:::preempt
{
	waits[tid] = timestamp;
}

sched:::on-cpu
/waits[tid] && ($target == 0 || progenyof($target))/
{
	@["microseconds waited for a CPU"] = quantize((timestamp - waits[tid]) / 1000);
}

sched:::on-cpu
/waits[tid]/
{
	waits[tid] = 0;
}

tick-1s, END
/probename != "END" ? ++seconds % interval == 0 : seconds < last/
{
	printa("%s%@d\n", @);
	trunc(@);
}

tick-1s
/seconds >= last/
{
	exit(0);
}
