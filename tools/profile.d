#!/usr/sbin/dtrace -s
/*
 * profile.d - where the CPUs spend their time: stacks, sampled 97 times a second
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
 * The twenty most frequent stacks, the most frequent first. Idle CPUs are not sampled. 97 and not 100, so that work that is done by the clock is not
 * always missed or always met.
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
