#!/usr/sbin/dtrace -s
/*
 * errsnoop.d - system calls that fail, by program, call and error
 *
 * USAGE: errsnoop.d [error]
 *	error	only this error, by number (13: permission denied)
 *	With -c or -p: only that process and its descendants.
 *
 *	COMMAND          CALL             ERROR             CALLS
 *	ldd              fcntl              9 EBADF             1
 *	ldd              openat             6 ENXIO             1
 *	ldd              ioctl             25 ENOTTY            5
 *	ldd              wait4             10 ECHILD            5
 *	ldd              openat             2 ENOENT           16
 *
 * CALLS counts the failed calls, and the most frequent row is last. <asm-generic/errno.h> lists error numbers without a
 * name. Errors that programs expect are included, such as a search along a path, or EAGAIN when no data is available.
 */
#pragma D option quiet
#pragma D option escape=on
#pragma D option defaultargs

inline string name[int number] = number == EPERM ? "EPERM" : number == ENOENT ? "ENOENT" : number == ESRCH ? "ESRCH" : number == EINTR ? "EINTR" :
    number == EIO ? "EIO" : number == ENXIO ? "ENXIO" : number == EBADF ? "EBADF" : number == ECHILD ? "ECHILD" : number == EAGAIN ? "EAGAIN" :
    number == ENOMEM ? "ENOMEM" :
    number == EACCES ? "EACCES" : number == EFAULT ? "EFAULT" : number == EBUSY ? "EBUSY" : number == EEXIST ? "EEXIST" :
    number == ENOTDIR ? "ENOTDIR" : number == EISDIR ? "EISDIR" : number == EINVAL ? "EINVAL" : number == EMFILE ? "EMFILE" :
    number == ENOTTY ? "ENOTTY" : number == ENOSPC ? "ENOSPC" : number == ESPIPE ? "ESPIPE" : number == EROFS ? "EROFS" : number == EPIPE ? "EPIPE" :
    number == ERANGE ? "ERANGE" : number == ENOSYS ? "ENOSYS" : number == ENOTEMPTY ? "ENOTEMPTY" : number == EOPNOTSUPP ? "EOPNOTSUPP" :
    number == ECONNRESET ? "ECONNRESET" : number == ETIMEDOUT ? "ETIMEDOUT" : number == ECONNREFUSED ? "ECONNREFUSED" :
    number == EINPROGRESS ? "EINPROGRESS" : "";

syscall:::return
/errno != 0 && ($target == 0 || progenyof($target)) && ($1 == 0 || errno == $1)/
{
	@[execname, probefunc, errno, name[errno]] = count();
}

END
{
	printf("%-16s %-16s %-16s %6s\n", "COMMAND", "CALL", "ERROR", "CALLS");
	printa("%-16s %-16s %3d %-12s %@6d\n", @);
}
