#!/usr/sbin/dtrace -s
/*
 * syscount.d - number of system calls, by program and by call
 *
 * USAGE: syscount.d [seconds [count]]
 *	seconds	a report this often; else one, at the end
 *	count	number of reports before the tool ends
 *	With -c or -p: only that process and its descendants.
 *
 *	COMMAND               CALLS
 *	date                     89
 *
 *	CALL                  CALLS
 *	openat                   29
 *	newfstatat               18
 *	close                    18
 *	mmap                     13
 *
 * The 20 most frequent programs and calls are shown, most frequent first. Calls of 32-bit programs are counted under
 * their own names.
 */
#pragma D option quiet
#pragma D option aggsortrev
#pragma D option escape=on
#pragma D option defaultargs

inline int interval = $1 > 0 ? $1 : 0x7fffffff;
inline int last = $2 > 0 ? interval * $2 : 0x7fffffff;

syscall:::entry
/$target == 0 || progenyof($target)/
{
	@programs[execname] = count();
	@calls[probefunc] = count();
}

tick-1s, END
/probename != "END" ? ++seconds % interval == 0 : seconds < last/
{
	trunc(@programs, 20);
	trunc(@calls, 20);
	printf("%-16s %10s\n", "COMMAND", "CALLS");
	printa("%-16s %@10d\n", @programs);
	printf("\n%-16s %10s\n", "CALL", "CALLS");
	printa("%-16s %@10d\n", @calls);
	printf("\n");
	trunc(@programs);
	trunc(@calls);
}

tick-1s
/seconds >= last/
{
	exit(0);
}
