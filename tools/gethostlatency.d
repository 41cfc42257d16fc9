#!/usr/sbin/dtrace -s
/*
 * gethostlatency.d - host names that a program looks up, with the time of each lookup
 *
 * USAGE: gethostlatency.d -c COMMAND | -p PID
 *
 *	     PID COMMAND          CALL              TIME(us) RESULT HOST
 *	     341 getent           getaddrinfo            498      0 localhost
 *
 * TIME(us) is the time of the call. RESULT is the return value of getaddrinfo(3), where 0 means found; for
 * gethostbyname(3) it is 0 or -1. Lookups that bypass the C library are not seen, such as those of some Go programs.
 */
#pragma D option quiet
#pragma D option escape=on

BEGIN
{
	printf("%8s %-16s %-16s %9s %6s %s\n", "PID", "COMMAND", "CALL", "TIME(us)", "RESULT", "HOST");
}

pid$target:libc:getaddrinfo:entry, pid$target:libc:gethostbyname:entry, pid$target:libc:gethostbyname2:entry
{
	self->host = arg0;
	self->begun = timestamp;
}

pid$target:libc:getaddrinfo:return, pid$target:libc:gethostbyname:return, pid$target:libc:gethostbyname2:return
/self->begun/
{
	this->took = timestamp - self->begun;
	printf("%8d %-16s %-16s %9d %6d %s\n", pid, execname, probefunc, this->took / 1000,
	    probefunc == "getaddrinfo" ? (int)arg1 : arg1 == 0 ? -1 : 0, self->host ? copyinstr(self->host, 4096, "(unreadable)") : "-");
	@["microseconds"] = quantize(this->took / 1000);
	self->host = 0;
	self->begun = 0;
}

END
{
	printa("%s%@d\n", @);
}
