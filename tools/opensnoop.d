#!/usr/sbin/dtrace -s
/*
 * opensnoop.d - files that processes open, with the result and the time it took
 *
 * USAGE: opensnoop.d [name]
 *	name	only processes of this name
 *	With -c or -p: only that process and its descendants.
 *
 *	     PID COMMAND            FD ERR  TIME(us) PATH
 *	    1371 date               -1   2        52 /usr/lib/locale/locale-archive
 *	    1371 date                3   0         8 /usr/share/locale/locale.alias
 *	    1371 date                3   0         2 /usr/lib/locale/C.utf8/LC_CTYPE
 *	    1371 date                3   0         4 /etc/localtime
 *	29 calls, 13 failed
 *
 * FD is the new descriptor or -1, ERR the error number, TIME(us) the time of the call. PATH is the string that the
 * process passed, which may be relative, or "(unreadable)" if the tool cannot read it. Opens through io_uring and
 * open_by_handle_at(2) are not seen.
 */
#pragma D option quiet
#pragma D option escape=on
#pragma D option defaultargs
/* Some machines have no open and creat system calls. */
#pragma D option zdefs

BEGIN
{
	printf("%8s %-16s %4s %3s %9s %s\n", "PID", "COMMAND", "FD", "ERR", "TIME(us)", "PATH");
}

syscall::open:entry, syscall::creat:entry
/($target == 0 || progenyof($target)) && ($$1 == "" || execname == $$1)/
{
	self->path = arg0;
	self->begun = timestamp;
}

syscall::openat:entry, syscall::openat2:entry
/($target == 0 || progenyof($target)) && ($$1 == "" || execname == $$1)/
{
	self->path = arg1;
	self->begun = timestamp;
}

syscall::open:return, syscall::creat:return, syscall::openat:return, syscall::openat2:return
/self->begun/
{
	printf("%8d %-16s %4d %3d %9d %s\n", pid, execname, errno == 0 ? (int)arg1 : -1, errno, (timestamp - self->begun) / 1000,
	    copyinstr(self->path, 4096, "(unreadable)"));
	@all = count();
	@failed = sum(errno != 0);
	self->path = 0;
	self->begun = 0;
}

END
{
	printa("%@d calls, %@d failed\n", @all, @failed);
}
