#!/usr/sbin/dtrace -s
/*
 * iotop.d - processes with the most bytes of disk requests
 *
 * USAGE: iotop.d [seconds [count]]
 *	seconds	a report this often; else one, at the end
 *	count	number of reports before the tool ends
 *	With -c or -p: only requests of that process and its descendants.
 *
 *	     PID COMMAND          DEVICE   RW           KB
 *	     362 dd               vda       W          704
 *
 * KB is the amount of data by direction: R for reads, W for writes. The 20 rows with the most bytes are shown, largest
 * first. Writes from the page cache are counted for the kernel thread that sends them to the disk.
 */
#pragma D option quiet
#pragma D option aggsortrev
#pragma D option escape=on
#pragma D option defaultargs

inline int interval = $1 > 0 ? $1 : 0x7fffffff;
inline int last = $2 > 0 ? interval * $2 : 0x7fffffff;

io:::start
/$target == 0 || progenyof($target)/
{
	this->way = args[0]->b_flags & B_WRITE ? "W" : "R";
	@[pid, execname, args[1]->dev_statname, this->way] = sum(args[0]->b_bcount);
}

tick-1s, END
/probename != "END" ? ++seconds % interval == 0 : seconds < last/
{
	trunc(@, 20);
	normalize(@, 1024);
	printf("%8s %-16s %-8s %2s %12s\n", "PID", "COMMAND", "DEVICE", "RW", "KB");
	printa("%8d %-16s %-8s %2s %@12d\n", @);
	trunc(@);
}

tick-1s
/seconds >= last/
{
	exit(0);
}
