#!/usr/sbin/dtrace -s
/*
 * profile.d - stacks of the code that runs on the CPUs, sampled 97 times a second
 *
 * USAGE: profile.d [name]
 *	name	only processes of this name
 *	With -c or -p: only that process and its descendants.
 *	As a flame graph: dtrace -x format=flamegraph -o graph.svg -s profile.d -c ./program
 *
 *	samples, by program and stack:
 *	  gzip
 *
 *	              gzip`0x5573306ccf5d
 *	              gzip`0x5573306d5674
 *	              gzip`0x5573306cefb0
 *	              gzip`0x5573306cbc60
 *	              libc.so.6`__libc_start_call_main+0x7a
 *	              libc.so.6`__libc_start_main+0x85
 *	              gzip`0x5573306cbe1a
 *	               22
 *
 * The number below a stack is its count of samples. The 20 most frequent stacks are shown, most frequent first. Idle
 * CPUs are not sampled. The rate is 97 instead of 100, so that samples do not coincide with work driven by the clock.
 */
#pragma D option quiet
#pragma D option aggsortrev
#pragma D option escape=on
#pragma D option defaultargs

profile-97
/pid != 0 && ($target == 0 || progenyof($target)) && ($$1 == "" || execname == $$1)/
{
	@[execname, stack(), ustack()] = count();
}

END
{
	trunc(@, 20);
	printf("samples, by program and stack:");
	printa(@);
}
