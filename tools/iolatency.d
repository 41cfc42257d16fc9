#!/usr/sbin/dtrace -s
/*
 * iolatency.d - time that disk requests take, as histograms by device and direction
 *
 * USAGE: iolatency.d [seconds [count]]
 *	seconds	a report this often; else one, at the end
 *	count	number of reports before the tool ends
 *	With -c or -p: only requests of that process and its descendants.
 *
 *	vda write (microseconds)
 *	           value  ------------- Distribution ------------- count
 *	              32 |                                         0
 *	              64 |@@@@@@@@@@@@@@@@@@@@@@@@                 6
 *	             128 |@@@@@@@@@@@@                             3
 *	             256 |@@@@                                     1
 *	             512 |                                         0
 *
 * Times are in microseconds. They run from the moment when the kernel queues a request for the device to its
 * completion. A request merged into another one is not counted separately.
 */
#pragma D option quiet
#pragma D option escape=on
#pragma D option defaultargs

inline int interval = $1 > 0 ? $1 : 0x7fffffff;
inline int last = $2 > 0 ? interval * $2 : 0x7fffffff;

io:::start
/$target == 0 || progenyof($target)/
{
	asked[args[0]->b_edev, args[0]->b_blkno] = timestamp;
}

io:::done
/asked[args[0]->b_edev, args[0]->b_blkno]/
{
	this->took = timestamp - asked[args[0]->b_edev, args[0]->b_blkno];
	@[args[1]->dev_statname, args[0]->b_flags & B_WRITE ? "write" : "read"] = quantize(this->took / 1000);
	asked[args[0]->b_edev, args[0]->b_blkno] = 0;
}

tick-1s, END
/probename != "END" ? ++seconds % interval == 0 : seconds < last/
{
	printa("%s %s (microseconds)%@d\n", @);
	trunc(@);
}

tick-1s
/seconds >= last/
{
	exit(0);
}
