/*@
 * what:  a record of one value
 * total: records
 * promises: records of all CPUs in the order of their times
 */
#pragma D option bufsize=64m
syscall::getppid:entry { printf("%d\n", pid); }
