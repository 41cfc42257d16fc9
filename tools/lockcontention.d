#!/usr/sbin/dtrace -s
/*
 * lockcontention.d - kernel locks that threads wait for, with the waiting time
 *
 * USAGE: lockcontention.d [frames]
 *	frames	lines of each stack (default 8)
 *	With -c or -p: only that process and its descendants.
 *
 *	WAIT             COMMAND               TIMES    MAX(ns)   TOTAL(us)
 *	adaptive-block   locks                     1   24448097       24448
 *
 *	microseconds waited, by kind and place:
 *	  adaptive-block
 *	              vmlinux`__mutex_lock.constprop.0+0x73e
 *	              vmlinux`n_tty_read+0x183
 *	              vmlinux`tty_read+0xf4
 *	              vmlinux`vfs_read+0x23a
 *	            24448
 *
 * WAIT is the kind of wait: adaptive-block sleeps for a mutex; adaptive-spin, spin-spin and rw-spin keep the CPU busy.
 * MAX(ns) is the longest wait, TOTAL(us) the sum. Acquisitions of free locks are not seen. Locks of user programs
 * (futexes) are not shown.
 */
#pragma D option quiet
#pragma D option aggsortrev
#pragma D option escape=on
#pragma D option defaultargs

inline int frames = $1 > 0 ? $1 : 8;

lockstat:::adaptive-block, lockstat:::adaptive-spin, lockstat:::spin-spin, lockstat:::rw-spin
/$target == 0 || progenyof($target)/
{
	@times[probename, execname] = count();
	@most[probename, execname] = max(args[1]);
	@total[probename, execname] = sum(args[1]);
	@places[probename, stack(frames)] = sum(args[1]);
}

END
{
	normalize(@total, 1000);
	normalize(@places, 1000);
	trunc(@places, 10);
	printf("%-16s %-16s %10s %10s %11s\n", "WAIT", "COMMAND", "TIMES", "MAX(ns)", "TOTAL(us)");
	printa("%-16s %-16s %@10d %@10d %@11d\n", @times, @most, @total);
	printf("\nmicroseconds waited, by kind and place:");
	printa(@places);
}
