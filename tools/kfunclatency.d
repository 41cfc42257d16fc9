#!/usr/sbin/dtrace -s
/*
 * kfunclatency.d - how long functions of the kernel take (needs fbt: a kernel with kprobes)
 *
 * USAGE: kfunclatency.d function
 *	function	which, as a pattern: 'vfs_read*'
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
 * From entry to return, with all that the function calls, asleep or not. Names of functions are the kernel's own business, and change from version to
 * version.
 */
#pragma D option quiet
#pragma D option defaultargs

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

END
{
	printa("%s (nanoseconds)%@d\n", @);
}
