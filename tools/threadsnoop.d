#!/usr/sbin/dtrace -s
/*
 * threadsnoop.d - new threads, with the threads that start them
 *
 * USAGE: threadsnoop.d [name]
 *	name	only threads of processes of this name
 *	With -c or -p: only that process and its descendants.
 *
 *	TIME(ms)      PID      TID COMMAND            BY-TID
 *	      12     1325     1326 python3              1325
 *	      16     1325     1327 python3              1325
 *	2 threads started
 *
 * TIME(ms) counts from the start of the trace. BY-TID is the thread that started the new one. The first thread of a
 * process is left out; execsnoop.d shows new programs. Kernel threads are left out too.
 */
#pragma D option quiet
#pragma D option escape=on
#pragma D option defaultargs

BEGIN
{
	begun = timestamp;
	printf("%8s %8s %8s %-16s %8s\n", "TIME(ms)", "PID", "TID", "COMMAND", "BY-TID");
}

proc:::lwp-create
/args[1]->pr_pid == pid && args[0]->pr_lwpid != pid && ($target == 0 || progenyof($target)) && ($$1 == "" || execname == $$1)/
{
	printf("%8d %8d %8d %-16s %8d\n", (timestamp - begun) / 1000000, pid, args[0]->pr_lwpid, execname, tid);
	@started = count();
}

END
{
	printa("%@d threads started\n", @started);
}
