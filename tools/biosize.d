#!/usr/sbin/dtrace -s
/*
 * biosize.d - sizes of requests to disks, as histograms by program and direction
 *
 * USAGE: biosize.d [device]
 *	device	only this one, as vda or loop0
 *	With -c or -p: only what that process and its descendants ask for.
 *
 *	dd write (bytes)
 *	           value  ------------- Distribution ------------- count
 *	           32768 |                                         0
 *	           65536 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 9
 *	          131072 |                                         0
 *
 * Data that were written to the page cache are told under the thread of the kernel that takes them to the disk. A flush has no bytes.
 */
#pragma D option quiet
#pragma D option defaultargs

io:::start
/($target == 0 || progenyof($target)) && ($$1 == "" || args[1]->dev_statname == $$1)/
{
	@[execname, args[0]->b_flags & B_WRITE ? "write" : "read"] = quantize(args[0]->b_bcount);
}

END
{
	printa("%s %s (bytes)%@d\n", @);
}
