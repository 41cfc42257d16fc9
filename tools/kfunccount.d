#!/usr/sbin/dtrace -s
/*
 * kfunccount.d - number of calls of each kernel function (needs fbt: a kernel with kprobes)
 *
 * USAGE: kfunccount.d function
 *	function	which, as a pattern: 'vfs_*'
 *	With -c or -p: only calls in that process and its descendants.
 *
 *	FUNCTION                              CALLS
 *	vfs_iter_read                             2
 *	vfs_read                                  2
 *	vfs_fstatat                               3
 *	vfs_statx                                 3
 *	vfs_getattr_nosec                         5
 *
 * The most frequent function is last. Names of kernel functions change between kernel versions.
 */
#pragma D option quiet
#pragma D option escape=on
#pragma D option defaultargs

fbt::$1:entry
/$target == 0 || progenyof($target)/
{
	@[probefunc] = count();
}

END
{
	printf("%-32s %10s\n", "FUNCTION", "CALLS");
	printa("%-32s %@10d\n", @);
}
