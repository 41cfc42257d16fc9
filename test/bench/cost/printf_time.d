/*@
 * what:  a record of one value and its time, which dtrace's records have anyway
 * total: records
 */
#pragma D option bufsize=64m
syscall::getppid:entry { printf("%d %d\n", pid, timestamp); }
