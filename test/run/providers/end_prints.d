/*@
 * what:    clauses of END read the values that variables have at the end of the trace
 * needs:   syscall
 * run:     -qs %file% -c '%progs%/syscalls getppid 25'
 */
syscall::getppid:entry /pid == $target/ { n++; last = timestamp; }
END { printf("%d %d\n", n, last > 0); }
