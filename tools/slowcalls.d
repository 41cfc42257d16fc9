#!/usr/sbin/dtrace -s
/*
 * slowcalls.d - system calls that took much longer than is usual for them, with what they waited for
 *
 * USAGE: slowcalls.d [deviations [microseconds]]
 *	deviations	how many standard deviations above the mean is much longer (default 6)
 *	microseconds	shortest time that is shown (default 100)
 *	With -c or -p: only that process and its descendants. Never the tracer itself, nor who reads files for it: how long
 *	they wait depends on what this prints.
 *
 *	     PID COMMAND          CALL                TIME(us)   USUAL(us)
 *	    9160 sort             openat                   237           4
 *	    9160 openat(0xffffff9c, 0x7ffcac5a4a69, 0x80041, 0x1b6, 0x7ffcac5a3580, 0x0)
 *	              libc.so.6`open+0x51
 *	              sort`0x55b254882002
 *	              libc.so.6`__libc_start_call_main+0x7a
 *	    9160 slept in
 *	              vmlinux`io_schedule+0x3f
 *	              vmlinux`bit_wait_io+0xd
 *	              vmlinux`ext4_read_bh+0xa2
 *	              vmlinux`__ext4_read_dirblock+0x74
 *
 * What is usual is learnt while it runs, for each system call by itself: mean and variance of its time, in which a call counts for less the longer it is
 * ago. The first 16 calls of each only teach. A call beyond the limit teaches that the deviation is larger, and nothing else. A deviation is a quarter of
 * the mean or more, so a call that always takes the same time is not slow before it takes two and a half times that. Where a thread slept first is noted of
 * every call that sleeps, and kept of the slow ones; what else is shown is still there when a call returns. Calls that do not return are not shown: what was
 * noted of them is given up when the thread ends.
 */
#pragma D option quiet
#pragma D option escape=on
#pragma D option defaultargs
#pragma D option nspec=512

inline int64_t deviations = $$1 == "" ? 6 : $1;
inline int64_t least = 1000 * ($$2 == "" ? 100 : $2);
inline int64_t lessons = 16;	/* calls that a mean is made of */
inline int64_t most = 1 << 31;	/* 2.1 s: the square of a time has to be a number */

/* Nanoseconds, by the number of a call's return probe; means in sixteenths, so that small differences add up. */
int64_t calls[int], mean[int], variance[int];

int tracer;

self int details, slept;	/* the speculation of the call that a thread is in */

BEGIN
{
	tracer = pid;
	printf("%8s %-16s %-16s %11s %11s\n", "PID", "COMMAND", "CALL", "TIME(us)", "USUAL(us)");
}

/* The call before has not returned (rt_sigreturn never does). */
syscall:::entry
/self->details/
{
	discard(self->details);
	self->details = 0;
}

syscall:::entry
/pid != tracer && ($target == 0 ? ppid != tracer : progenyof($target))/
{
	self->begun = timestamp;
	self->slept = 0;
	self->arg0 = arg0;
	self->arg1 = arg1;
	self->arg2 = arg2;
	self->arg3 = arg3;
	self->arg4 = arg4;
	self->arg5 = arg5;
}

/* What nobody knows afterwards: where it sleeps first. */
sched:::off-cpu
/self->begun && !self->slept/
{
	self->slept = 1;
	self->details = speculation();
}

sched:::off-cpu
/self->details && self->slept == 1/
{
	speculate(self->details);
	self->slept = 2;
	printf("%8d slept in", tid);
	stack();
}

syscall:::return
/self->begun/
{
	this->took = (int64_t)(timestamp - self->begun);
	this->calls = calls[id];
	this->usual = mean[id] / 16;
	this->variance = variance[id];
	this->off = this->took < most ? this->took - this->usual : most;
	this->floor = this->usual / 4;
	this->spread = this->variance > this->floor * this->floor ? this->variance : this->floor * this->floor;
	this->slow = this->calls >= lessons && this->off > 0 && this->off * this->off / (deviations * deviations) > this->spread;
}

syscall:::return
/self->begun && this->slow && this->took >= least/
{
	printf("%8d %-16s %-16s %11d %11d\n", pid, execname, probefunc, this->took / 1000, this->usual / 1000);
	printf("%8d %s(0x%x, 0x%x, 0x%x, 0x%x, 0x%x, 0x%x)", tid, probefunc, self->arg0, self->arg1, self->arg2, self->arg3, self->arg4, self->arg5);
	ustack();
}

syscall:::return
/self->details && this->slow && this->took >= least/
{
	commit(self->details);
	self->details = 0;
}

syscall:::return
/self->details/
{
	discard(self->details);
}

syscall:::return
/self->begun && this->slow/
{
	variance[id] = this->spread + this->spread / 4;
}

/* Mean and variance of the calls so far (Welford), of which the last sixteen weigh: each new one takes a share of both. */
syscall:::return
/self->begun && !this->slow/
{
	this->calls += this->calls < lessons;
	this->square = this->off * this->off / this->calls;
	calls[id] = this->calls;
	mean[id] += (16 * this->off) / this->calls;
	variance[id] = this->variance + this->square - (this->variance + this->square) / this->calls;
}

syscall:::return
/self->begun/
{
	self->begun = 0;
	self->details = 0;
}

/* It may sleep once more. */
proc:::lwp-exit
{
	self->begun = 0;
}

proc:::lwp-exit
/self->details/
{
	discard(self->details);
	self->details = 0;
}
