#!/usr/sbin/dtrace -s
/*
 * iosnoop.d - disk requests, each with its time and process
 *
 * USAGE: iosnoop.d [device]
 *	device	only this device, such as vda or loop0
 *	With -c or -p: only requests of that process and its descendants.
 *
 *	TIME(ms) TOOK(us)      PID COMMAND          DEVICE   RW      BLOCK    BYTES ERR
 *	       1      460      355 dd               vda       W   64013952   524288   0
 *	       6      139      355 dd               vda       W  182769912    65536   0
 *	      12      158      355 dd               vda       W  518805848    65536   0
 *	      16      143      355 dd               vda       W   64013952    65536   0
 *	vda: 4 requests, 720896 bytes
 *
 * TIME(ms) counts from the start of the trace. TOOK(us) is the time of the request. RW is R for reads and W for writes,
 * BLOCK the position in units of 512 bytes. A request is listed under the thread that sends it to the device, which for
 * page cache writes is a kernel thread. A request merged into another one is not shown separately.
 */
#pragma D option quiet
#pragma D option escape=on
#pragma D option defaultargs

BEGIN
{
	begun = timestamp;
	printf("%8s %8s %8s %-16s %-8s %2s %10s %8s %3s\n", "TIME(ms)", "TOOK(us)", "PID", "COMMAND", "DEVICE", "RW", "BLOCK", "BYTES", "ERR");
}

io:::start
/($target == 0 || progenyof($target)) && ($$1 == "" || args[1]->dev_statname == $$1)/
{
	asked[args[0]->b_edev, args[0]->b_blkno] = timestamp;
	bytes[args[0]->b_edev, args[0]->b_blkno] = args[0]->b_bcount;
	asker[args[0]->b_edev, args[0]->b_blkno] = pid;
	command[args[0]->b_edev, args[0]->b_blkno] = execname;
}

io:::done
/asked[args[0]->b_edev, args[0]->b_blkno]/
{
	this->device = args[0]->b_edev;
	this->block = args[0]->b_blkno;
	this->took = timestamp - asked[this->device, this->block];
	printf("%8d %8d %8d %-16s %-8s %2s %10d %8d %3d\n", (timestamp - begun) / 1000000, this->took / 1000, asker[this->device, this->block],
	    command[this->device, this->block], args[1]->dev_statname, args[0]->b_flags & B_WRITE ? "W" : "R", this->block,
	    bytes[this->device, this->block], args[0]->b_error);
	@requests[args[1]->dev_statname] = count();
	@total[args[1]->dev_statname] = sum(bytes[this->device, this->block]);
	asked[this->device, this->block] = 0;
	bytes[this->device, this->block] = 0;
	asker[this->device, this->block] = 0;
	command[this->device, this->block] = 0;
}

END
{
	printa("%s: %@d requests, %@d bytes\n", @requests, @total);
}
