#!/usr/sbin/dtrace -s
/*
 * kfunccount.d - calls of functions of the kernel (needs fbt: a kernel with kprobes)
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
 * The most frequent last. Names of functions are the kernel's own business, and change from version to version.
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
