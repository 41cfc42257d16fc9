#!/usr/sbin/dtrace -s
/*
 * offwaketime.d - stacks where threads wait, with the stacks of the threads that wake them
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
 * The ten longest waits are shown, longest last. Each stack lists kernel frames, then user frames. A wait ends when the
 * thread is woken, so it does not include later waiting for a CPU. A wait ended by a timer or a device has an interrupt
 * as its waker.
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
