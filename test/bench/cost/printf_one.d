/*@
 * what:  a record of one value
 * total: records
 */
#pragma D option bufsize=64m
syscall::getppid:entry { printf("%d\n", pid); }
