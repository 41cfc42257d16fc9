#!/usr/sbin/dtrace -s
/*
 * cxxthrow.d - exceptions of a C++ program: stacks where they are thrown, and counts of those caught
 *
 * USAGE: cxxthrow.d -c COMMAND | -p PID
 *
 *	              libstdc++.so.6.0.30`__cxa_throw+0x11
 *	              throws`main.cold+0x35
 *	              libc.so.6`__libc_start_call_main+0x7a
 *	              libc.so.6`__libc_start_main+0x85
 *	              throws`_start+0x21
 *	                7
 *	7 thrown, 14 caught, 7 rethrown
 *
 * The number below a stack is the count of exceptions thrown there. Programs linked statically with libstdc++ have no
 * such probes.
 */
#pragma D option quiet
#pragma D option aggsortrev
#pragma D option escape=on

libstdcxx$target:::throw
{
	@places[ustack()] = count();
	@thrown = count();
}

libstdcxx$target:::catch
{
	@caught = count();
}

libstdcxx$target:::rethrow
{
	@again = count();
}

END
{
	trunc(@places, 20);
	printa(@places);
	printa("%@d thrown, %@d caught, %@d rethrown\n", @thrown, @caught, @again);
}
