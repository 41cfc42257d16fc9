#!/usr/sbin/dtrace -s
/*
 * execsnoop.d - new programs, with their arguments and parent processes
 *
 * USAGE: execsnoop.d [name]
 *	name	only programs of this name
 *	With -c or -p: only what that process and its descendants start.
 *
 *	TIME(ms)    UID     PPID      PID  ARGS
 *	      12      0     1325     1326  /lib64/ld-linux-x86-64.so.2 --version
 *	      16      0     1319     1327  /lib64/ld-linux-x86-64.so.2 --verify /bin/date
 *	      20      0     1329     1330  /lib64/ld-linux-x86-64.so.2 /bin/date
 *	3 programs started, 0 failed to start
 *
 * TIME(ms) counts from the start of the trace. PPID is the parent of process PID. A program that failed to start is
 * shown with its path and error. Arguments beyond 80 characters are not shown.
 */
#pragma D option quiet
#pragma D option escape=on
#pragma D option defaultargs

BEGIN
{
	begun = timestamp;
	printf("%8s %6s %8s %8s  %s\n", "TIME(ms)", "UID", "PPID", "PID", "ARGS");
}

proc:::exec
/$target == 0 || progenyof($target)/
{
	self->path = arg0;
	self->called = 1;
}

proc:::exec-success
/self->called && ($$1 == "" || execname == $$1)/
{
	printf("%8d %6d %8d %8d  %s\n", (timestamp - begun) / 1000000, uid, ppid, pid, curpsinfo->pr_psargs);
	@started = count();
}

proc:::exec-failure
/self->called && ($$1 == "" || basename(copyinstr(self->path, 4096, "(unreadable)")) == $$1)/
{
	printf("%8d %6d %8d %8d  %s: error %d\n", (timestamp - begun) / 1000000, uid, ppid, pid, copyinstr(self->path, 4096, "(unreadable)"), -args[0]);
	@failed = count();
}

proc:::exec-success, proc:::exec-failure
{
	self->path = 0;
	self->called = 0;
}

END
{
	printa("%@d programs started, %@d failed to start\n", @started, @failed);
}
