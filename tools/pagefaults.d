#!/usr/sbin/dtrace -s
/*
 * pagefaults.d - page faults by program: their number, and the number that waited for a disk
 *
 * USAGE: pagefaults.d [seconds [count]]
 *	seconds	a report this often; else one, at the end
 *	count	number of reports before the tool ends
 *	With -c or -p: only that process and its descendants.
 *
 *	COMMAND              FAULTS      MAJOR
 *	date                     27          0
 *
 * FAULTS counts faults of the program itself, on pages that are not present or still shared. MAJOR counts faults that
 * read from a disk. It includes faults while the kernel copies data for the program, which FAULTS does not.
 */
#pragma D option quiet
#pragma D option escape=on
#pragma D option defaultargs
/* Some machines have no prot_fault; as_fault includes its faults there. */
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
