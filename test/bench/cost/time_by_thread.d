/*@
 * what:  the time, stored by thread
 * total: elements
 * check: syscall::getpgid:entry /a[tid]/ { printf("%d\n", a[tid]); }
 */
syscall::getppid:entry { a[tid] = timestamp; }
