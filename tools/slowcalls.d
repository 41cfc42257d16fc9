#!/usr/sbin/dtrace -s
/*
 * slowcalls.d - system calls that took much longer than usual, with the stacks where they waited
 *
 * USAGE: slowcalls.d [deviations [microseconds]]
 *	deviations	number of standard deviations above the mean that makes a call slow (default 6)
 *	microseconds	shortest time that is shown (default 100)
 *	With -c or -p: only that process and its descendants. The tracer itself and its
 *	file readers are never shown, because their waits depend on this output.
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
 * TIME(us) is the time of the call, USUAL(us) the mean for that call. The tool learns mean and variance for each system
 * call while it runs, giving recent calls more weight. The first 16 calls of each system call are used only for
 * learning. A slow call raises the learned deviation, but not the mean. The deviation is at least a quarter of the mean,
 * so a call with constant time counts as slow only from two and a half times that time. The stack where a call first
 * slept is recorded for every call that sleeps, and kept only for slow calls; all other data is read at the return.
 * Calls that do not return are not shown.
 */
#pragma D option quiet
#pragma D option escape=on
#pragma D option defaultargs
#pragma D option nspec=512

inline int64_t deviations = $$1 == "" ? 6 : $1;
inline int64_t least = 1000 * ($$2 == "" ? 100 : $2);
inline int64_t lessons = 16;	/* number of calls in a mean */
inline int64_t most = 1 << 31;	/* 2.1 s: the square of a time must fit 64 bits */

/* Nanoseconds by id of the return probe. Means are in sixteenths, so that small differences add up. */
int64_t calls[int], mean[int], variance[int];

int tracer;

self int details, slept;	/* details: speculation of the current call */

BEGIN
{
	tracer = pid;
	printf("%8s %-16s %-16s %11s %11s\n", "PID", "COMMAND", "CALL", "TIME(us)", "USUAL(us)");
}

/* The previous call has not returned (rt_sigreturn never does). */
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

/* Record the first sleep, which is unknown at the return. */
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

/* Running mean and variance (Welford), weighted to the last 16 calls: each new call replaces a share of both. */
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

/* The thread may sleep again. */
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
