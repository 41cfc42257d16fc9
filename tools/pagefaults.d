#!/usr/sbin/dtrace -s
/*
 * pagefaults.d - page faults by program: all of them, and those that had to wait for a disk
 *
 * USAGE: pagefaults.d [seconds [count]]
 *	seconds	a report this often; else one, at the end
 *	count	end after so many reports
 *	With -c or -p: only that process and its descendants.
 *
 *	COMMAND              FAULTS      MAJOR
 *	date                     27          0
 *
 * FAULTS are those of the program itself, on pages that are not there or not its own yet. MAJOR had to be read in; those that happen while the kernel
 * copies data for the program are there, and not in FAULTS.
 */
#pragma D option quiet
#pragma D option escape=on
#pragma D option defaultargs
/* prot_fault is not there on every machine: then as_fault has those, too */
#pragma D option zdefs

inline int interval = $1 > 0 ? $1 : 0x7fffffff;
inline int last = $2 > 0 ? interval * $2 : 0x7fffffff;

vminfo:::as_fault, vminfo:::prot_fault
/$target == 0 || progenyof($target)/
{
	@faults[execname] = sum(arg0);
}

vminfo:::maj_fault
/$target == 0 || progenyof($target)/
{
	@major[execname] = sum(arg0);
}

tick-1s, END
/probename != "END" ? ++seconds % interval == 0 : seconds < last/
{
	printf("%-16s %10s %10s\n", "COMMAND", "FAULTS", "MAJOR");
	printa("%-16s %@10d %@10d\n", @faults, @major);
	trunc(@faults);
	trunc(@major);
}

tick-1s
/seconds >= last/
{
	exit(0);
}
