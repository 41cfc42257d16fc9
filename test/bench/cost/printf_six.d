/*@
 * what:  a record of six values
 * total: records
 * promises: nothing before it has begun, and no calls of 32-bit programs
 */
#pragma D option bufsize=64m
syscall::getppid:entry { printf("%d %d %s %d %d %d\n", pid, tid, execname, arg0, arg2, timestamp); }
