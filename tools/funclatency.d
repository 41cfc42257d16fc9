#!/usr/sbin/dtrace -s
/*
 * funclatency.d - run time of functions of a program, as histograms
 *
 * USAGE: funclatency.d -c COMMAND | -p PID module function
 *	module		a.out for the program itself, or a library: libc
 *	function	which, as a pattern: 'str*'
 *
 *	malloc (nanoseconds)
 *	           value  ------------- Distribution ------------- count
 *	             256 |                                         0
 *	             512 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@          161
 *	            1024 |@@@@@@@                                  38
 *	            2048 |@                                        4
 *	            4096 |                                         1
 *	            8192 |                                         0
 *	           16384 |                                         1
 *
 * Times are in nanoseconds from entry to return. They include called functions and about one microsecond for the
 * probes. Recursive functions are counted at each level. Calls abandoned by longjmp(3) or an exception are not counted,
 * and distort the times of the functions around them.
 */
#pragma D option quiet
#pragma D option escape=on

self int level;

pid$target:$1:$2:entry
{
	self->begun[self->level] = timestamp;
	self->level++;
}

pid$target:$1:$2:return
/self->level > 0/
{
	self->level--;
	@[probefunc] = quantize(timestamp - self->begun[self->level]);
	self->begun[self->level] = 0;
}

END
{
	printa("%s (nanoseconds)%@d\n", @);
}
