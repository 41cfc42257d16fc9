#!/usr/sbin/dtrace -s
/*
 * kfunclatency.d - run time of kernel functions, as histograms (needs fbt: a kernel with kprobes)
 *
 * USAGE: kfunclatency.d function [seconds [count]]
 *	function	which, as a pattern: 'vfs_read*'
 *	seconds		a report this often; else one, at the end
 *	count		number of reports before the tool ends
 *	With -c or -p: only calls in that process and its descendants.
 *
 *	vfs_read (nanoseconds)
 *	           value  ------------- Distribution ------------- count
 *	           16384 |                                         0
 *	           32768 |@@@@@@@@@@@@@@@@@@@@                     1
 *	           65536 |                                         0
 *	          131072 |                                         0
 *	          262144 |                                         0
 *	          524288 |                                         0
 *	         1048576 |                                         0
 *	         2097152 |                                         0
 *	         4194304 |@@@@@@@@@@@@@@@@@@@@                     1
 *	         8388608 |                                         0
 *
 * Times are in nanoseconds from entry to return, including called functions and sleep. Names of kernel functions change
 * between kernel versions.
 */
#pragma D option quiet
#pragma D option escape=on
#pragma D option defaultargs

inline int interval = $2 > 0 ? $2 : 0x7fffffff;
inline int last = $3 > 0 ? interval * $3 : 0x7fffffff;

self int level;

fbt::$1:entry
/$target == 0 || progenyof($target)/
{
	self->begun[self->level] = timestamp;
	self->level++;
}

fbt::$1:return
/self->level > 0/
{
	self->level--;
	@[probefunc] = quantize(timestamp - self->begun[self->level]);
	self->begun[self->level] = 0;
}

tick-1s, END
/probename != "END" ? ++seconds % interval == 0 : seconds < last/
{
	printa("%s (nanoseconds)%@d\n", @);
	trunc(@);
}

tick-1s
/seconds >= last/
{
	exit(0);
}
