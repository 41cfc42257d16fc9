#!/usr/sbin/dtrace -s
/*
 * funccount.d - number of calls of each function of a program
 *
 * USAGE: funccount.d -c COMMAND | -p PID module function
 *	module		a.out for the program itself, or a library: libc
 *	function	which, as a pattern: 'str*'
 *
 *	MODULE               FUNCTION                              CALLS
 *	libc.so.6            strftime                                  2
 *	libc.so.6            strftime_l                                2
 *	libc.so.6            strndup                                  12
 *	libc.so.6            strdup                                   14
 *
 * The most frequent function is last. Each call takes about one microsecond longer while it is traced. Children of the
 * process, and libraries loaded later, are not traced.
 */
#pragma D option quiet
#pragma D option escape=on

pid$target:$1:$2:entry
{
	@[probemod, probefunc] = count();
}

END
{
	printf("%-20s %-32s %10s\n", "MODULE", "FUNCTION", "CALLS");
	printa("%-20s %-32s %@10d\n", @);
}
