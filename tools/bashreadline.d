#!/usr/sbin/dtrace -s
/*
 * bashreadline.d - lines typed at the prompt of a running bash
 *
 * USAGE: bashreadline.d -p PID
 *
 *	TIME(ms)      PID LINE
 *	    1203     4711 ls -l
 *
 * TIME(ms) counts from the start of the trace. Only lines typed at a prompt are shown, not scripts and not input of
 * other programs. A line that is being typed when tracing starts is missed. A bash with readline in a separate library
 * is not traced.
 */
#pragma D option quiet
#pragma D option escape=on

BEGIN
{
	begun = timestamp;
	printf("%8s %8s %s\n", "TIME(ms)", "PID", "LINE");
}

pid$target:bash:readline:return
/arg1/
{
	printf("%8d %8d %s\n", (timestamp - begun) / 1000000, pid, copyinstr(arg1, 4096, "(unreadable)"));
	@lines = count();
}

END
{
	printa("%@d lines\n", @lines);
}
