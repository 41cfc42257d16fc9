#!/usr/sbin/dtrace -s
/*
 * filetop.d - files with the most bytes read and written, by process
 *
 * USAGE: filetop.d [seconds [count]]
 *	seconds	a report this often; else one, at the end
 *	count	number of reports before the tool ends
 *	With -c or -p: only that process and its descendants.
 *
 *	     PID COMMAND          RW FILE                                            BYTES
 *	     302 grep              R /etc/services                                   12813
 *	     302 grep              R /proc/302/maps                                   8409
 *
 * RW is R for reads and W for writes. The 20 rows with the most bytes are shown, largest first. Pipes and sockets are
 * left out. Access through mmap(2) and io_uring is not seen.
 */
#pragma D option quiet
#pragma D option aggsortrev
#pragma D option escape=on
#pragma D option defaultargs

inline int interval = $1 > 0 ? $1 : 0x7fffffff;
inline int last = $2 > 0 ? interval * $2 : 0x7fffffff;
inline string kind[int file] = fds[file].fi_fs;

syscall::read:entry, syscall::pread64:entry, syscall::readv:entry, syscall::preadv:entry,
syscall::write:entry, syscall::pwrite64:entry, syscall::writev:entry, syscall::pwritev:entry
/$target == 0 || progenyof($target)/
{
	self->file = arg0 + 1;
}

/* Wildcards also match other calls, for which no start is recorded. Each description compiles separately, so use few. */
syscall::*read*:return, syscall::*write*:return
/self->file && errno == 0 && kind[self->file - 1] != "pipefs" && kind[self->file - 1] != "sockfs" && kind[self->file - 1] != "anon_inodefs"/
{
	this->way = probefunc == "read" || probefunc == "pread64" || probefunc == "readv" || probefunc == "preadv" ? "R" : "W";
	@[pid, execname, this->way, fds[self->file - 1].fi_pathname] = sum(arg1);
}

syscall::*read*:return, syscall::*write*:return
{
	self->file = 0;
}

tick-1s, END
/probename != "END" ? ++seconds % interval == 0 : seconds < last/
{
	trunc(@, 20);
	printf("%8s %-16s %2s %-40s %12s\n", "PID", "COMMAND", "RW", "FILE", "BYTES");
	printa("%8d %-16s %2s %-40s %@12d\n", @);
	trunc(@);
}

tick-1s
/seconds >= last/
{
	exit(0);
}
