#!/usr/sbin/dtrace -s
/*
 * whyslow.d - parts of the time of slow system calls, and the stacks where they sleep longest
 *
 * USAGE: whyslow.d [PID|NAME [call [milliseconds]]]
 *	PID|NAME	a process, or all that have this name (default: all; with -c or -p that process and its descendants)
 *	call		only this system call (default, also "": all)
 *	milliseconds	shortest time that counts as slow (default 10)
 *
 *	  sort                                                read
 *	            part  ----------- Part of the time ----------- percent       time
 *	            pipe |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@   99.94  196411542
 *	          kernel |                                            0.05      90275
 *
 *	  SLEPT LONGEST IN, ms
 *	  sort             read                    196  woken by sleep
 *	              vmlinux`anon_pipe_read+0x2a1
 *	              vmlinux`vfs_read+0x16d
 *	              vmlinux`ksys_read+0xc3
 *
 * Times are in nanoseconds unless marked, and the slowest rows come first. The parts are those of breakdown()
 * (dtrace-aggregations(7), BREAKDOWN): runq is waiting for a CPU, pipe is waiting for another process, and so on. The
 * stacks show the three longest sleeps among slow calls, with the waking thread ("-": the call waited for a CPU). Calls
 * that do not return are not shown.
 */
#pragma D option quiet
#pragma D option escape=on
#pragma D option defaultargs
#pragma D option aggsortrev
#pragma D option stackindent=14

inline int64_t least = 1000000 * ($$3 == "" ? 10 : $3);

BEGIN
{
	number = strtoll($$1);
}

syscall:::entry
/$$1 == "" ? $target == 0 || progenyof($target) : execname == $$1 || pid == number/
{
	self->asked = $$2 == "" || probefunc == $$2;
}

syscall:::entry
/self->asked/
{
	self->mark = mark();
	self->begun = timestamp;
	self->asked = 0;
	self->slept = 0;
}

sched:::off-cpu
/self->mark/
{
	self->off = timestamp;
	self->in = stack();
	self->asleep = 0;
}

sched:::sleep
/self->mark/
{
	self->asleep = 1;
}

sched:::on-cpu
/self->off && timestamp - self->off > self->slept/
{
	self->slept = timestamp - self->off;
	self->where = self->in;
	self->by = self->asleep ? waker.execname : "-";
}

sched:::on-cpu
/self->off/
{
	self->off = 0;
}

syscall:::return
/self->mark && timestamp - self->begun >= least/
{
	@parts[execname, probefunc] = breakdown(self->mark);
}

syscall:::return
/self->slept && timestamp - self->begun >= least/
{
	@slept[execname, probefunc, self->by, self->where] = sum(self->slept);
}

syscall:::return
/self->mark/
{
	self->mark = 0;
	self->begun = 0;
	self->slept = 0;
}

END
{
	printa(@parts);
	trunc(@slept, 3);
	normalize(@slept, 1000000);
	printf("\n  SLEPT LONGEST IN, ms\n");
	printa("  %-16s %-16s %@11d  woken by %s%k", @slept);
}
