#!/usr/sbin/dtrace -s
/*
 * statsnoop.d - paths that processes query with stat(2), access(2), readlink(2) and similar calls
 *
 * USAGE: statsnoop.d [name]
 *	name	only processes of this name
 *	With -c or -p: only that process and its descendants.
 *
 *	     PID COMMAND          CALL         ERR  TIME(us) PATH
 *	     816 ls               statx          0         2 /etc/hostname
 *	     816 ls               newfstatat     0         2 /etc/nsswitch.conf
 *	     816 ls               newfstatat     0         1 /
 *	     816 ls               newfstatat     0         1 /etc/nsswitch.conf
 *	4 calls, 0 failed
 *
 * ERR is the error number, TIME(us) the time of the call. PATH is the string that the process passed, or "(unreadable)"
 * if the tool cannot read it. Queries of descriptors, with an empty path or none, are left out.
 */
#pragma D option quiet
#pragma D option escape=on
#pragma D option defaultargs
/* Some machines have no stat, access and similar system calls. */
#pragma D option zdefs

BEGIN
{
	printf("%8s %-16s %-12s %3s %9s %s\n", "PID", "COMMAND", "CALL", "ERR", "TIME(us)", "PATH");
}

syscall::newstat:entry, syscall::newlstat:entry, syscall::access:entry, syscall::readlink:entry, syscall::statfs:entry
/($target == 0 || progenyof($target)) && ($$1 == "" || execname == $$1)/
{
	self->path = arg0;
	self->begun = timestamp;
}

syscall::newfstatat:entry, syscall::statx:entry, syscall::faccessat:entry, syscall::faccessat2:entry, syscall::readlinkat:entry
/($target == 0 || progenyof($target)) && ($$1 == "" || execname == $$1)/
{
	self->path = arg1;
	self->begun = timestamp;
}

syscall::newstat:return, syscall::newlstat:return, syscall::access:return, syscall::readlink:return, syscall::statfs:return,
syscall::newfstatat:return, syscall::statx:return, syscall::faccessat:return, syscall::faccessat2:return, syscall::readlinkat:return
/self->begun && copyinstr(self->path, 4096, "(unreadable)") != "" && (self->path || errno != 0)/
{
	printf("%8d %-16s %-12s %3d %9d %s\n", pid, execname, probefunc, errno, (timestamp - self->begun) / 1000, copyinstr(self->path, 4096,
	    "(unreadable)"));
	@all = count();
	@failed = sum(errno != 0);
}

syscall::newstat:return, syscall::newlstat:return, syscall::access:return, syscall::readlink:return, syscall::statfs:return,
syscall::newfstatat:return, syscall::statx:return, syscall::faccessat:return, syscall::faccessat2:return, syscall::readlinkat:return
{
	self->path = 0;
	self->begun = 0;
}

END
{
	printa("%@d calls, %@d failed\n", @all, @failed);
}
