/*@
 * what:  an element of an associative array, incremented
 * total: sum
 * check: syscall::getpgid:entry /n[pid, tid]/ { printf("%d\n", n[pid, tid]); }
 */
syscall::getppid:entry { n[pid, tid]++; }
