/*@
 * what:  a global counter
 * total: sum
 */
int n;
syscall::getppid:entry { n++; }
END { printf("%d\n", n); }
