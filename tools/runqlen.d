#!/usr/sbin/dtrace -s
/*
 * runqlen.d - number of threads that wait on each CPU's run queue, sampled 99 times a second
 *
 * USAGE: runqlen.d [seconds [count]]
 *	seconds	a report this often; else one, at the end
 *	count	number of reports before the tool ends
 *
 *	threads waiting for CPU 0
 *	           value  ------------- Distribution ------------- count
 *	               0 |                                         0
 *	               1 |@@@@@@@@@@@@@@@@@@@@@@@@@@@              67
 *	               2 |@@@@@@@@@@                               24
 *	               3 |@                                        3
 *	               4 |@@                                       4
 *	               5 |@                                        2
 *
 * value is the number of waiting threads, count the number of samples. The running thread is not included. The tool
 * reads kernel structures, because no stable provider gives the length of a queue.
 */
#pragma D option quiet
#pragma D option escape=on
#pragma D option defaultargs

inline int interval = $1 > 0 ? $1 : 0x7fffffff;
inline int last = $2 > 0 ? interval * $2 : 0x7fffffff;

profile-99
{
	this->runs = (int64_t)curthread->se.cfs_rq->rq->nr_running;
	@[cpu] = lquantize(this->runs > 0 ? this->runs - 1 : 0, 0, 100, 1);
}

tick-1s, END
/probename != "END" ? ++seconds % interval == 0 : seconds < last/
{
	printa("threads waiting for CPU %d%@d\n", @);
	trunc(@);
}

tick-1s
/seconds >= last/
{
	exit(0);
}
