#!/usr/sbin/dtrace -s
/*
 * cachestat.d - amount of file data that programs read, and the part that came from a disk
 *
 * USAGE: cachestat.d [seconds [count]]
 *	seconds	a report this often; else one, at the end
 *	count	number of reports before the tool ends
 *	With -c or -p: only that process and its descendants.
 *
 *	COMMAND               READS   READ(KB)   DISK(KB)
 *	cat                       4         15          0
 *
 * READS counts calls. READ(KB) is the data that read(2) and similar calls returned from files. DISK(KB) is the data
 * requested from disks while the program ran, including read-ahead. A READ far above DISK means that the page cache
 * serves the data. Reads by kernel threads are listed under the names of these threads.
 */
#pragma D option quiet
#pragma D option escape=on
#pragma D option defaultargs
#pragma D option aggsortpos=1

inline int interval = $1 > 0 ? $1 : 0x7fffffff;
inline int last = $2 > 0 ? interval * $2 : 0x7fffffff;
inline string kind[int file] = fds[file].fi_fs;

syscall::read:entry, syscall::pread64:entry, syscall::readv:entry, syscall::preadv:entry
/$target == 0 || progenyof($target)/
{
	self->file = arg0 + 1;
}

syscall::read:return, syscall::pread64:return, syscall::readv:return, syscall::preadv:return
/self->file && errno == 0 && kind[self->file - 1] != "pipefs" && kind[self->file - 1] != "sockfs" && kind[self->file - 1] != "anon_inodefs"/
{
	@reads[execname] = count();
	@bytes[execname] = sum(arg1);
}

syscall::read:return, syscall::pread64:return, syscall::readv:return, syscall::preadv:return
{
	self->file = 0;
}

io:::start
/(args[0]->b_flags & B_READ) && ($target == 0 || progenyof($target))/
{
	@disk[execname] = sum(args[0]->b_bcount);
}

tick-1s, END
/probename != "END" ? ++seconds % interval == 0 : seconds < last/
{
	normalize(@bytes, 1024);
	normalize(@disk, 1024);
	printf("%-16s %10s %10s %10s\n", "COMMAND", "READS", "READ(KB)", "DISK(KB)");
	printa("%-16s %@10d %@10d %@10d\n", @reads, @bytes, @disk);
	trunc(@reads);
	trunc(@bytes);
	trunc(@disk);
}

tick-1s
/seconds >= last/
{
	exit(0);
}
