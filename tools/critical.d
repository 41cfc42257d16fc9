#!/usr/sbin/dtrace -s
/*
 * critical.d - what the threads of a process wait for, and who works meanwhile: a tree of its time, followed from waker to waker
 *
 * USAGE: critical.d [PID|NAME [milliseconds]]
 *	PID|NAME	a process, or all threads of this name (default: all; with -c or -p that process and its descendants)
 *	milliseconds	shortest wait that counts (default 0: all, and what the threads run between them)
 *
 *	 percent          time  chain
 *	  100.00     201363218  sort
 *	   99.40     200155047    pipe <- sleep
 *	   98.93     199208745      timer <- (interrupt)
 *
 * A line is a part of the time of the thread above it, with the thread that ended the wait; below is what that one did meanwhile (dtrace-aggregations(7), BLAME).
 * From one time that a thread is given a CPU to the next, until it is given one no more.
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
