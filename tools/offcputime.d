#!/usr/sbin/dtrace -s
/*
 * offcputime.d - stacks where threads sleep or wait for a CPU, with the time
 *
 * USAGE: offcputime.d [milliseconds]
 *	milliseconds	shortest absence that counts (default: all)
 *	With -c or -p: only that process and its descendants.
 *	As a flame graph: dtrace -x format=flamegraph -x flameunit=us -o graph.svg -s offcputime.d -p PID
 *
 *	microseconds off the CPU, by program and stack:
 *	  sleep
 *	              vmlinux`schedule+0x23
 *	              vmlinux`do_nanosleep+0x5e
 *	              vmlinux`hrtimer_nanosleep+0x74
 *	              vmlinux`common_nsleep+0x30
 *	              vmlinux`__x64_sys_clock_nanosleep+0xce
 *	...
 *	              sleep`0x55b652c92f81
 *	              sleep`0x55b652c8f558
 *	              libc.so.6`__libc_start_call_main+0x7a
 *	              libc.so.6`__libc_start_main+0x85
 *	              sleep`0x55b652c8f621
 *	           105472
 *
 * The 20 longest sums are shown, longest first. A thread that sleeps until the trace ends is not counted.
 */
#pragma D option quiet
#pragma D option aggsortrev
#pragma D option escape=on
#pragma D option defaultargs

sched:::off-cpu
/pid != 0 && ($target == 0 || progenyof($target))/
{
	self->off = timestamp;
}

sched:::on-cpu
/self->off && timestamp - self->off >= $1 * 1000000/
{
	@[execname, stack(), ustack()] = sum((timestamp - self->off) / 1000);
}

sched:::on-cpu
{
	self->off = 0;
}

END
{
	trunc(@, 20);
	printf("microseconds off the CPU, by program and stack:");
	printa(@);
}
