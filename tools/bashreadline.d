#!/usr/sbin/dtrace -s
/*
 * bashreadline.d - what is typed into a running bash
 *
 * USAGE: bashreadline.d -p PID
 *
 *	TIME(ms)      PID LINE
 *	    1203     4711 ls -l
 *
 * Only what is typed at a prompt: not scripts, and not what other programs read. The line that is being typed when tracing begins is not seen. A bash that
 * has readline in a library of its own is not traced.
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
