/*@
 * what:    END sees the variables and aggregations of the whole run
 * needs:   syscall
 * run:     -qs %file% -c '%progs%/syscalls getppid 25'
 */
syscall::getppid:entry /pid == $target/ { n++; last = timestamp; }
END { printf("%d %d\n", n, last > 0); }
