#!/usr/sbin/dtrace -s
/*
 * signals.d - signals with their sender, their target, and whether they were handled or ignored
 *
 * USAGE: signals.d [signal]
 *	signal	only this signal, by number
 *	With -c or -p: only signals to that process and its descendants.
 *
 *	TIME(ms) WHAT     SIGNAL      BY COMMAND               TO COMMAND
 *	     101 sent         14     806 troff                790 timeout
 *	     101 handled      14     790 timeout              790 timeout
 *	     101 ignored      15     790 timeout              790 timeout
 *	     101 ignored      18     790 timeout              790 timeout
 *	     102 sent         17     793 sleep                790 timeout
 *	     102 handled      17     790 timeout              790 timeout
 *	signal 14 handled: 1
 *	signal 14 sent: 1
 *	signal 15 ignored: 1
 *	signal 17 handled: 1
 *	signal 17 sent: 1
 *	signal 18 ignored: 1
 *
 * TIME(ms) counts from the start of the trace. BY is the process that was running, so a signal of a timer or device has
 * the interrupted process as sender. A signal sent while it is already pending is not shown. "handled" includes default
 * actions, such as ending the process.
 */
#pragma D option quiet
#pragma D option escape=on
#pragma D option defaultargs

BEGIN
{
	begun = timestamp;
	printf("%8s %-8s %6s %7s %-16s %7s %s\n", "TIME(ms)", "WHAT", "SIGNAL", "BY", "COMMAND", "TO", "COMMAND");
}

proc:::create
/$target != 0 && progenyof($target)/
{
	descendant[args[0]->pr_pid] = 1;
}

proc:::exit
/descendant[pid]/
{
	descendant[pid] = 0;
}

proc:::signal-send, proc:::signal-discard
/($target == 0 || args[1]->pr_pid == $target || descendant[args[1]->pr_pid]) && ($1 == 0 || args[2] == $1)/
{
	printf("%8d %-8s %6d %7d %-16s %7d %s\n", (timestamp - begun) / 1000000, probename == "signal-send" ? "sent" : "ignored",
	    args[2], pid, execname, args[1]->pr_pid, args[1]->pr_fname);
	@total[args[2], probename == "signal-send" ? "sent" : "ignored"] = count();
}

proc:::signal-handle
/($target == 0 || progenyof($target)) && ($1 == 0 || args[0] == $1)/
{
	printf("%8d %-8s %6d %7d %-16s %7d %s\n", (timestamp - begun) / 1000000, "handled", args[0], pid, execname, pid, execname);
	@total[args[0], "handled"] = count();
}

END
{
	printa("signal %d %s: %@d\n", @total);
}
