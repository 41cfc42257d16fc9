#!/usr/sbin/dtrace -s
/*
 * biosize.d - sizes of disk requests, as histograms by program and direction
 *
 * USAGE: biosize.d [device [seconds [count]]]
 *	device	only this device, such as vda or loop0; '' means all
 *	seconds	a report this often; else one, at the end
 *	count	number of reports before the tool ends
 *	With -c or -p: only requests of that process and its descendants.
 *
 *	dd write (bytes)
 *	           value  ------------- Distribution ------------- count
 *	           32768 |                                         0
 *	           65536 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 9
 *	          131072 |                                         0
 *
 * Sizes are in bytes. Writes from the page cache are counted for the kernel thread that sends them to the disk. A flush
 * request has no bytes.
 */
#pragma D option quiet
#pragma D option escape=on
#pragma D option defaultargs

inline int interval = $2 > 0 ? $2 : 0x7fffffff;
inline int last = $3 > 0 ? interval * $3 : 0x7fffffff;

io:::start
/($target == 0 || progenyof($target)) && ($$1 == "" || args[1]->dev_statname == $$1)/
{
	@[execname, args[0]->b_flags & B_WRITE ? "write" : "read"] = quantize(args[0]->b_bcount);
}

tick-1s, END
/probename != "END" ? ++seconds % interval == 0 : seconds < last/
{
	printa("%s %s (bytes)%@d\n", @);
	trunc(@);
}

tick-1s
/seconds >= last/
{
	exit(0);
}
