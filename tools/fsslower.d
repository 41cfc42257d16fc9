#!/usr/sbin/dtrace -s
/*
 * fsslower.d - slow reads, writes and syncs of files, with the mount point
 *
 * USAGE: fsslower.d [milliseconds [mount]]
 *	milliseconds	shortest time that is shown (default 10; 0: all)
 *	mount		only files below this mount point, such as / or /home
 *	With -c or -p: only that process and its descendants.
 *
 *	     PID COMMAND          CALL          BYTES  TIME(us) MOUNT            PATH
 *	     307 dd               read           2996        49 /                /etc/locale.alias
 *	     307 dd               read              0         0 /                /etc/locale.alias
 *	     307 dd               read          65536        30 /dev             /dev/zero
 *	     307 dd               write         65536        31 /                /tmp/demo/file
 *	     307 dd               read          65536         1 /dev             /dev/zero
 *	     307 dd               write         65536        16 /                /tmp/demo/file
 *	     307 dd               fsync             0      2133 /                /tmp/demo/file
 *
 * TIME(us) is the time that the process waited, in the page cache or for a disk. Pipes, sockets and other files without
 * a mount point are left out. Access through mmap(2) and io_uring is not seen.
 */
#pragma D option quiet
#pragma D option escape=on
#pragma D option defaultargs

inline int64_t least = 1000000 * ($$1 == "" ? 10 : $1);

BEGIN
{
	printf("%8s %-16s %-10s %8s %9s %-16s %s\n", "PID", "COMMAND", "CALL", "BYTES", "TIME(us)", "MOUNT", "PATH");
}

syscall::read:entry, syscall::pread64:entry, syscall::readv:entry, syscall::preadv:entry, syscall::preadv2:entry,
syscall::write:entry, syscall::pwrite64:entry, syscall::writev:entry, syscall::pwritev:entry, syscall::pwritev2:entry,
syscall::fsync:entry, syscall::fdatasync:entry
/$target == 0 || progenyof($target)/
{
	self->file = arg0;
	self->begun = timestamp;
}

/* Wildcards also match other calls, for which no start is recorded. Each description compiles separately, so use few. */
syscall::*read*:return, syscall::*write*:return, syscall::f*sync:return
/self->begun && timestamp - self->begun >= least/
{
	self->took = timestamp - self->begun;
	this->mount = fds[self->file].fi_mount;
}

syscall::*read*:return, syscall::*write*:return, syscall::f*sync:return
/self->took && this->mount != "<none>" && ($$2 == "" || this->mount == $$2)/
{
	printf("%8d %-16s %-10s %8d %9d %-16s %s\n", pid, execname, probefunc, errno == 0 ? arg1 : 0, self->took / 1000,
	    this->mount, fds[self->file].fi_pathname);
	@slow[this->mount] = count();
}

syscall::*read*:return, syscall::*write*:return, syscall::f*sync:return
{
	self->file = 0;
	self->begun = 0;
	self->took = 0;
}

END
{
	printa("%@d slow calls below %s\n", @slow);
}
