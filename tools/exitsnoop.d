#!/usr/sbin/dtrace -s
/*
 * exitsnoop.d - processes that end, with their exit status or signal, age and CPU time
 *
 * USAGE: exitsnoop.d [name]
 *	name	only processes of this name
 *	With -c or -p: only that process and its descendants.
 *
 *	     PID     PPID    AGE(ms)  CPU(ms)  END            COMMAND
 *	   32766    32763        100        0  signal 15      sleep
 *	   32763    32762        141        0  exit   124     timeout
 *	1 ended by a signal
 *	1 ended by themselves
 *
 * AGE(ms) is the age of the process, also if it has executed another program since its start. CPU(ms) is the CPU time
 * of all its threads. END is the exit status or the signal that ended the process.
 */
#pragma D option quiet
#pragma D option escape=on
#pragma D option defaultargs

BEGIN
{
	printf("%8s %8s %10s %8s  %-14s %s\n", "PID", "PPID", "AGE(ms)", "CPU(ms)", "END", "COMMAND");
}

proc:::exit
/($target == 0 || progenyof($target)) && ($$1 == "" || curthread->group_leader->comm == $$1)/
{
	this->status = curpsinfo->pr_wstat;
	printf("%8d %8d %10d %8d  %-6s %-7d %s\n", pid, ppid, (timestamp - curthread->group_leader->start_time) / 1000000,
	    curpsinfo->pr_time.tv_sec * 1000 + curpsinfo->pr_time.tv_nsec / 1000000,
	    args[0] == CLD_EXITED ? "exit" : args[0] == CLD_DUMPED ? "core" : "signal",
	    args[0] == CLD_EXITED ? this->status >> 8 : this->status & 0x7f, curthread->group_leader->comm);
	@ended[args[0] == CLD_EXITED ? "by themselves" : "by a signal"] = count();
}

END
{
	printa("%@d ended %s\n", @ended);
}
