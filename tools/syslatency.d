#!/usr/sbin/dtrace -s
/*
 * syslatency.d - time and failures of system calls
 *
 * USAGE: syslatency.d [call [seconds [count]]]
 *	call	only this system call, with a histogram of its times; '' means all
 *	seconds	a report this often; else one, at the end
 *	count	number of reports before the tool ends
 *	With -c or -p: only that process and its descendants.
 *
 *	CALL                 CALLS   FAILED    MEAN(ns)     MAX(ns)   TOTAL(us)
 *	read                     4        0        1652        3125           6
 *	close                   18        0         693        2083          12
 *	newfstatat              18        0         767        2243          13
 *	getrandom                1        0       47852       47852          47
 *	mmap                    13        0        4899       10135          63
 *	openat                  29       13        2728        7972          79
 *
 * CALLS counts returned calls, FAILED the failed ones. Times run from entry to return and include sleep. Rows are
 * sorted by TOTAL(us), longest last. Calls that do not return are not counted.
 */
#pragma D option quiet
#pragma D option escape=on
#pragma D option defaultargs
#pragma D option aggsortpos=4

inline int interval = $2 > 0 ? $2 : 0x7fffffff;
inline int last = $3 > 0 ? interval * $3 : 0x7fffffff;

syscall:::entry
/($target == 0 || progenyof($target)) && ($$1 == "" || probefunc == $$1)/
{
	self->begun = timestamp;
}

syscall:::return
/self->begun && $$1 != ""/
{
	@times["nanoseconds"] = quantize(timestamp - self->begun);
}

syscall:::return
/self->begun/
{
	this->time = timestamp - self->begun;
	@calls[probefunc] = count();
	@failed[probefunc] = sum(errno != 0);
	@mean[probefunc] = avg(this->time);
	@most[probefunc] = max(this->time);
	@total[probefunc] = sum(this->time);
	self->begun = 0;
}

tick-1s, END
/probename != "END" ? ++seconds % interval == 0 : seconds < last/
{
	normalize(@total, 1000);
	printf("%-16s %9s %8s %11s %11s %11s\n", "CALL", "CALLS", "FAILED", "MEAN(ns)", "MAX(ns)", "TOTAL(us)");
	printa("%-16s %@9d %@8d %@11d %@11d %@11d\n", @calls, @failed, @mean, @most, @total);
	printa(@times);
	trunc(@calls);
	trunc(@failed);
	trunc(@mean);
	trunc(@most);
	trunc(@total);
	trunc(@times);
}

tick-1s
/seconds >= last/
{
	exit(0);
}
