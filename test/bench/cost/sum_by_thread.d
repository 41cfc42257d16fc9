/*@
 * what:  a sum by process and thread
 * total: sum
 */
syscall::getppid:entry { @[pid, tid] = sum(arg3); }
