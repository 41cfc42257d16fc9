#!/usr/sbin/dtrace -s
/*
 * offwaketime.d - what threads wait for: where they sleep, and who wakes them from where
 *
 * USAGE: offwaketime.d [PID|NAME [microseconds]]
 *	PID|NAME	a process, or all that have this name (default: all; with -c or -p that process and its descendants)
 *	microseconds	shortest wait that counts (default 1000)
 *
 *	  WAITED, us
 *	      196411
 *	  sort             slept in
 *	vmlinux`anon_pipe_read+0x2a1
 *	vmlinux`vfs_read+0x16d
 *	  sleep            woke it in
 *	vmlinux`pipe_release+0x4b
 *	vmlinux`do_exit+0x2e1
 *
 * The ten that took longest, the longest last; stacks of the kernel, then of the process. A wait lasts until the thread is woken: what it waits for a CPU then is
 * not in it. What a timer or a device ends was woken by an interrupt.
 */
#pragma D option quiet
#pragma D option escape=on
#pragma D option defaultargs

inline int64_t least = 1000 * ($$2 == "" ? 1000 : $2);

BEGIN
{
	number = strtoll($$1);
}

sched:::sleep
/$$1 == "" ? $target == 0 || progenyof($target) : execname == $$1 || pid == number/
{
	self->slept = mark();
}

sched:::on-cpu
/self->slept && waited >= least/
{
	@[execname, stack(), ustack(), waker.execname, stack(waker), ustack(waker)] = sum(waited / 1000);
}

sched:::on-cpu
/self->slept/
{
	self->slept = 0;
}

END
{
	trunc(@, 10);
	printf("  WAITED, us\n");
	printa("%@12d\n  %-16s slept in%k%k  %-16s woke it in%k%k\n", @);
}
