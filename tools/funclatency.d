#!/usr/sbin/dtrace -s
/*
 * funclatency.d - how long functions of a program take
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
 * From entry to return, with all that the function calls, and with about a microsecond that the probes cost. Functions that call themselves are counted
 * at each level. Functions that are left by longjmp(3) or an exception are not counted, and put the time of those around them wrong.
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
