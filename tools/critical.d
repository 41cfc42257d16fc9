#!/usr/sbin/dtrace -s
/*
 * critical.d - wait chains of a process: the threads it waits for and their work, as a tree
 *
 * USAGE: critical.d [PID|NAME [milliseconds]]
 *	PID|NAME	a process, or all threads of this name (default: all; with -c or -p that process and its descendants)
 *	milliseconds	shortest wait that counts (default 0: all, and also the running time between waits)
 *
 *	 percent          time  chain
 *	  100.00     201363218  sort
 *	   99.40     200155047    pipe <- sleep
 *	   98.93     199208745      timer <- (interrupt)
 *
 * percent and time (nanoseconds) are parts of the traced threads' time. A line below a thread names the reason of a
 * wait and the thread that ended it. The lines below that one show what the waking thread did meanwhile
 * (dtrace-aggregations(7), BLAME). Each thread is measured from its first switch onto a CPU to its last one.
 */
#pragma D option quiet
#pragma D option escape=on
#pragma D option defaultargs

self int64_t begun;
inline int64_t least = 1000000 * ($$2 == "" ? 0 : $2);

BEGIN
{
	number = strtoll($$1);
}

sched:::on-cpu,
sched:::off-cpu
/$$1 == "" ? $target == 0 || progenyof($target) : execname == $$1 || (number && pid == number)/
{
	self->is_asked = 1;
}

sched:::off-cpu
/self->is_asked && (least || !self->begun)/
{
	self->begun = timestamp;
}

sched:::on-cpu
/self->is_asked && self->begun && timestamp - self->begun >= least/
{
	@ = blame(self->begun);
}

sched:::on-cpu
/self->is_asked/
{
	self->begun = timestamp;
}

sched:::on-cpu,
sched:::off-cpu
/self->is_asked/
{
	self->is_asked = 0;
}
